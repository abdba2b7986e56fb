import type { OperationEntry } from '../../services/scanning/operationTable';
import { operationTable } from '../../services/scanning/operationTable';
import { table } from './markdown.cts';

const REGION = /(<!-- operations: [^\n]* -->\n)[\s\S]*(<!-- \/operations -->)/;

/** The page docs/interface.md with its table of operations as the code has them. */
export function withOperations(page: string): string {
	const head = ['Operation', 'Method and path', 'Source', 'How its values travel', 'Source'];
	const rows = Object.entries(operationTable).map(([key, entry]) => row(key, entry));
	return page.replace(REGION, (_, begin: string, end: string) =>
		[begin, table(head, rows), '', end].join('\n'),
	);
}

function row(key: string, { method, path, encoding, source }: OperationEntry): string[] {
	const call = method && path ? `\`${method} /api/v1/${path}\`` : '**none**: fill it in';
	return [`${name(key)}`, call, source.address, encoding, source.encoding];
}

/** As the credential's form calls it. */
function name(key: string): string {
	return key
		.replace(/[A-Z]/g, ' $&')
		.replace(/^./, (first) => first.toUpperCase())
		.replace('Url', 'URL');
}
