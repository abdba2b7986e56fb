/** A table without the columns that have neither a head nor a cell. */
export function table(head: string[], rows: string[][]): string {
	const used = head.filter((title, column) => title || rows.some((row) => row[column]));
	const lines = [used, used.map(() => '---'), ...rows.map((row) => row.slice(0, used.length))];
	return lines.map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');
}

function cell(text: string): string {
	if (text.startsWith('`')) return text;
	return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('{', '\\{');
}
