import { getEntry, listEntries } from '../../services/console/auditLog';
import { PAGE_SIZE, scanPages } from '../../services/scanning/scanList';
import { failureField, simplifyScan } from '../../services/scanning/scanRecord';
import { FakeService, scanService } from '../nodes/ContentScan/support/fakeService';
import { expectCost } from '../support/expectCost.cts';

/** To read an answer costs no more than so much for each of its values, however they are nested. */

const LEVELS = 95;
const VALUES = 30_000;

/** Each of the names, in turn, holds the next level. */
function nested(names: string[], fill: (level: number) => object, end: unknown): unknown {
	let value = end;
	for (let level = LEVELS; level > 0; level--) {
		value = { ...fill(level), [names[level % names.length]]: value };
	}
	return value;
}

const nothing = () => ({});
const many = (length: number, text: unknown) => Array.from({ length }, () => text);
const named = (length: number, text: unknown) =>
	Object.fromEntries(many(length, text).map((one, index) => [`error_${index}`, one]));

const SHAPES = {
	'many at the end': (names: string[], text: unknown) => nested(names, nothing, many(VALUES, text)),
	'many named at the end': (names: string[], text: unknown) =>
		nested(names, nothing, named(VALUES, text)),
	'some at each level': (names: string[], text: unknown) =>
		nested(names, () => ({ list: many(VALUES / LEVELS, text), id: 7 }), text),
	'ninety levels many times': (names: string[], text: unknown) =>
		many(VALUES / LEVELS, nested(names, nothing, text)),
};

const NAMES = [
	...['error', 'errors', 'message', 'data', 'status', 'finished_at', 'verbose_verdict'],
	...['error message', 'success error', 'error_details cause'],
];
const TEXTS = ['No data', 'none', 'OK', 404, 'All engines have finished', 'Search timed out'];

async function readAll(body: Record<string, unknown>): Promise<void> {
	const service = new FakeService(() => body);
	const scans = scanService(service);
	const context = () => ({});
	await Promise.allSettled([
		listEntries(service, { limit: PAGE_SIZE }),
		getEntry(service, 'a-1', {}),
		scanPages(scans, {}, context).next(),
	]);
	failureField(body as never);
	simplifyScan(body as never);
}

describe.each(Object.entries(SHAPES))('an answer with %s', (_, shape) => {
	it.each(NAMES)('takes no long time below %s', async (written) => {
		const names = written.split(' ');
		for (const text of TEXTS) {
			const told = shape(names, text) as Record<string, unknown>;
			const below = Array.isArray(told) ? { [names[0]]: told } : told;
			const bodies = [[], [{ id: 1, auditlogId: 'a-1', ...below }]].map((list) => ({
				...{ success: false, items: list, results: list },
				...below,
			}));
			await expectCost(0.6, async () => {
				for (const body of bodies) await readAll(body);
			});
		}
	});
});
