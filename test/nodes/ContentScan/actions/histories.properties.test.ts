import * as fc from 'fast-check';
import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import { FakeClock } from '../../../support/fakeClock.cts';
import { propertyRuns } from '../../../support/propertyRuns.cts';
import { macrotask } from '../../../support/macrotask.cts';
import { nodeOnFamily } from '../support/nodeOnFamily';
import type { History } from '../support/scanHistories';
import { histories } from '../support/scanHistories';
import { ScanServiceFamily } from '../support/scanServiceFamily';

const MINUTE = 60_000;

interface Told extends Error {
	description?: string | null;
}

interface Lived {
	family: ScanServiceFamily;
	items: INodeExecutionData[];
	error?: Told;
	hints: NodeExecutionHint[];
	/** Milliseconds. */
	took: number;
}

const urlOf = (index: number) => `https://example.com/${index}`;

/** Runs the node, through the package's own transport, on one service of the family. */
async function live(history: History): Promise<Lived> {
	const { traits, operation, scans, faults, callMs, callsPerMinute } = history;
	const clock = new FakeClock();
	const plan = (url: string) => scans[Number(url.split('/').at(-1))];
	const family = new ScanServiceFamily(traits, clock, plan, [...faults], callMs);
	// What is read was submitted before.
	const known = operation === 'scanUrl' ? [] : scans;
	for (const index of known.keys()) family.accept(urlOf(index), clock.now() - 5 * MINUTE);
	const options = {
		...{ onTimeout: history.onTimeout, waitTimeout: history.waitTimeout },
		...{ queueTimeout: history.queueTimeout, concurrency: history.concurrency },
	};
	const hints: NodeExecutionHint[] = [];
	const run = nodeOnFamily(family, clock, callsPerMinute);
	const execution = run({
		hints,
		items: operation === 'getAll' ? 1 : scans.length,
		onError: history.onError,
		parameters: (index) => ({
			...{ resource: 'scan', operation, options, simplify: history.simplify },
			...{ url: urlOf(index), scanId: known[index] && family.idOf(family.scans[index]) },
			...{ limit: 30, returnAll: false },
		}),
	});
	let ended: Pick<Lived, 'items' | 'error'> | undefined;
	let took = 0;
	const end = (one: typeof ended) => {
		ended = one;
		took = clock.monotonic();
	};
	execution.then(
		(items) => end({ items }),
		(error: Told) => end({ items: [], error }),
	);
	for (let still = 0; ended === undefined && still < 10; still++) {
		await clock.run();
		await macrotask();
	}
	if (ended === undefined) throw new Error('It never ends');
	await clock.run();
	return { family, hints, took, ...ended };
}

/** Texts that a user reads, with their places. */
function textsOf({ items, error, hints }: Lived): string[] {
	const texts = hints.map(({ message }) => message);
	const errors: Told[] = error ? [error] : [];
	for (const { json, error: itemError } of items) {
		if (typeof json.note === 'string') texts.push(json.note);
		if (typeof json.error === 'string') texts.push(json.error);
		const { description } = (json.details ?? json.message ?? {}) as IDataObject;
		if (typeof description === 'string') texts.push(description);
		if (itemError) errors.push(itemError as Told);
	}
	for (const { message, description } of errors) texts.push(message, description ?? '');
	return texts;
}

function checkTexts(lived: Lived): void {
	const { token } = lived.family;
	const forms = [token, Buffer.from(token).toString('base64').slice(0, -4)];
	for (const text of textsOf(lived)) {
		const isBroken = text.trim() === '' || /undefined|\[object|NaN|\bnull\b|Infinity/.test(text);
		if (isBroken || forms.some((form) => text.includes(form))) throw new Error(`Told: "${text}"`);
	}
}

const KEYS = ['scanId', 'status', 'verdict', 'verdictCode', 'clean'];

function checkItem({ json }: INodeExecutionData, lived: Lived, history: History, index: number) {
	const { family } = lived;
	if ('error' in json) {
		if ((json.clean ?? null) !== null) throw new Error('A verdict of an item that failed');
		return;
	}
	const missing = KEYS.filter((key) => !(key in json));
	if (missing.length > 0) throw new Error(`Without ${missing.join(', ')}`);
	if (json.clean !== true || history.operation === 'getAll') return;
	const scan = family.scans.find(({ url }) => url === urlOf(index));
	if (!scan || !family.saidClean.has(scan.number)) throw new Error('Clean, but never said to be');
}

/** Of a service that is well, each scan comes with its verdict. */
function checkVerdicts({ error, items }: Lived, { scans }: History): void {
	if (error) throw new Error(`${error.message} ${error.description}`);
	const verdicts = items.map(({ json }) => [json.status, json.verdictCode, json.clean]);
	const expected = scans.map(({ code }) => [
		'finished',
		code || null,
		code ? code === 'CLN' : null,
	]);
	expect(verdicts).toStrictEqual(expected);
}

async function check(history: History): Promise<void> {
	const lived = await live(history);
	const { family, items, error, took } = lived;
	for (const [url, count] of family.submissions) {
		if (count > 1) throw new Error(`${url} was submitted ${count} times`);
	}
	family.callTimes.forEach((time, index) => {
		const before = family.callTimes[index - history.callsPerMinute];
		if (time - before < MINUTE) throw new Error('More calls than allowed');
	});
	checkTexts(lived);
	const { operation, scans } = history;
	const expected = operation === 'getAll' ? undefined : scans.length;
	if (error === undefined && expected !== undefined) expect(items).toHaveLength(expected);
	items.forEach((item, index) => checkItem(item, lived, history, index));
	if (operation === 'getAll') {
		const clean = items.filter(({ json }) => json.clean === true);
		if (clean.length > family.cleanRecords) throw new Error('Clean, but never said to be');
	}
	const queueTime = history.queueTimeout * scans.length;
	const atMost = queueTime + history.waitTimeout * 1.1 + 10 + 130 * scans.length;
	if (took > atMost * 1000) throw new Error(`It took ${took} ms`);
	if (history.isWell) checkVerdicts(lived, history);
}

test('whatever the service: nothing is submitted twice, or called clean without being said to be, no more is called than allowed, every failure has words, and a service that is well gives every verdict', async () => {
	await fc.assert(fc.asyncProperty(histories, check), propertyRuns(300));
}, 7_200_000);
