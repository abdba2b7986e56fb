import { PARALLEL_ITEMS } from '../../nodes/ContentScan/actions/fields/optionsField';
import { operationTable } from '../../services/scanning/operationTable';
import { PAGE_SIZE } from '../../services/scanning/scanList';
import { LARGEST_FILE } from '../../nodes/ContentScan/actions/common/uploadFile';
import { RETENTION_DAYS } from '../../services/console/auditLogEntry';
import { triggerFields } from '../../nodes/ConsoleAuditLog/trigger/triggerFields';
import { DIGEST_BOUNDS } from '../../nodes/ConsoleAuditLog/reading/seenDigests';
import { ANSWER_BOUNDS } from '../../transport/answerBytes';
import { DEFAULT_QUEUE_SECONDS } from '../../nodes/common/queueTime';
import { contentScanFields } from '../../nodes/ContentScan/actions/fields/contentScanFields';
import { actionFields } from '../../nodes/ConsoleAuditLog/actions/actionFields';
import { allExampleFiles } from '../../scripts/demo/exampleWorkflows.cts';
import { deadLinks, pages } from './pageLinks.cts';

/** A number as the pages write it: 20,000. */
const inProse = (number: number) => number.toLocaleString('en-US');

const textOf = (name: string) => pages().find(({ path }) => path === `docs/${name}`)?.text ?? '';

describe.each(pages())('$path', (page) => {
	it('links to what exists', () => {
		expect(deadLinks(page)).toEqual([]);
	});

	it('names no address of a real owner and no path of a machine', () => {
		expect(page.text).not.toMatch(/\/(work|root|tmp|home)\/(?!node\/)/);
	});
});

it('limits.md gives the figures of the code', () => {
	const limits = textOf('limits.md');
	for (const words of [
		`Largest answer that is read | ${ANSWER_BOUNDS.bytes / 1024 ** 2} MB`,
		`Longest time for reading one answer | ${ANSWER_BOUNDS.milliseconds / 1000} seconds`,
		`Items in parallel in Content Scan | ${PARALLEL_ITEMS.most} for *Scan a URL*, *Get* and *Get Many*, otherwise ${PARALLEL_ITEMS.few},`,
		`*Max Queue Time*: ${inProse(DEFAULT_QUEUE_SECONDS)} seconds by default`,
		`Delivered entries that Console Audit Log Trigger remembers | ${inProse(DIGEST_BOUNDS.all)}`,
		`Retention of audit log entries | ${RETENTION_DAYS} days`,
		`this package asks for ${PAGE_SIZE}`,
		`Largest file | ${LARGEST_FILE / 1024 ** 2} MB`,
	]) {
		expect(limits).toContain(words);
	}
});

it('interface.md has the path of each operation', () => {
	const rows = Object.values(operationTable).map(({ method, path }) =>
		method && path ? `\`${method} /api/v1/${path}\`` : '**none**: fill it in',
	);
	expect(rows.filter((row) => !textOf('interface.md').includes(row))).toEqual([]);
});

it('audit-log.md names every field of the trigger', () => {
	const page = textOf('audit-log.md');
	const options = triggerFields.flatMap((field) => [field, ...(field.options ?? [])]);
	const labels = options.filter((one) => 'type' in one && one.type !== 'notice');
	const left = labels
		.map((one) => ('displayName' in one ? one.displayName : ''))
		.filter((label) => !['Authentication', 'Options', 'Start Date'].includes(label))
		.filter((label) => !page.includes(label));
	expect(left).toEqual([]);
});

it.each([
	['content-scan.md', contentScanFields],
	['audit-log.md', actionFields],
])('%s names every operation', (name, properties) => {
	const operations = properties
		.filter((property) => property.name === 'operation')
		.flatMap((property) => property.options ?? [])
		.map((option) => option.name);
	const page = textOf(name);
	expect(operations.filter((operation) => !page.includes(`**${operation}**`))).toEqual([]);
});

it('examples.md names every example', async () => {
	const page = textOf('examples.md');
	expect(
		(await allExampleFiles()).filter((file) => !page.includes(`(../examples/${file})`)),
	).toEqual([]);
});

it('credentials.md says all there is to know of the tokens', () => {
	const page = textOf('credentials.md');
	for (const said of [
		'API key',
		'role Administrator',
		'support contact',
		'by a secure channel',
		"those of its user's current role",
		'offers only user tokens',
		'admin user just for n8n',
		'account contact',
	]) {
		expect(page).toContain(said);
	}
});

/** Where a page tells how to branch on a scan, the unknown must not go with the clean. */
it.each(pages())('$path lets only what is clean pass an If', ({ text }) => {
	const branches = text.split('\n').filter((line) => /\badd an \*{1,2}If\*{1,2}/i.test(line));
	expect(branches.filter((line) => !/`clean`|`action`/.test(line))).toEqual([]);
	expect(text).not.toMatch(/verdict`? \*?(is|equals|is (not )?equal to)\*? `?malicious/i);
});
