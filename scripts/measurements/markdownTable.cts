/** A table as prettier writes it, a column of numbers right-aligned; empty without rows. */
export function markdownTable(
	head: readonly string[],
	rows: ReadonlyArray<ReadonlyArray<string | number>>,
): string {
	if (rows.length === 0) return '';
	const isNumber = head.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
	const cells = [head, ...rows].map((row) => row.map(shown));
	const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column].length)));
	const line = (row: readonly string[]): string =>
		`| ${row.map((cell, column) => aligned(cell, widths[column], isNumber[column])).join(' | ')} |`;
	const rule = widths.map((width, column) =>
		isNumber[column] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
	);
	return [line(cells[0]), `| ${rule.join(' | ')} |`, ...cells.slice(1).map(line)].join('\n');
}

function shown(cell: string | number): string {
	return typeof cell === 'number' ? cell.toLocaleString('en-US') : cell;
}

function aligned(cell: string, width: number, right: boolean): string {
	return right ? cell.padStart(width) : cell.padEnd(width);
}
