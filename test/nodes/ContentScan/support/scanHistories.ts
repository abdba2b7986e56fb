import * as fc from 'fast-check';
import type { Fault, ModelScan, Traits } from './scanServiceFamily';

/** What a user runs on which service. */
export interface History {
	/** Whether the service is well, and each scan has to come with its verdict. */
	isWell: boolean;
	traits: Traits;
	operation: 'scanUrl' | 'get' | 'getAll';
	scans: Array<Pick<ModelScan, 'takes' | 'code' | 'partCode'>>;
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	onTimeout: 'error' | 'item';
	/** Seconds. */
	waitTimeout: number;
	queueTimeout: number;
	concurrency: number;
	simplify: boolean;
	callsPerMinute: number;
	/** For the calls in their order, as long as the service is not well. */
	faults: Fault[];
	callMs: number;
}

const usually = <T>(usual: T, ...others: T[]) =>
	fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));

const traits: fc.Arbitrary<Traits> = fc.record({
	accepted: fc.constantFrom(200, 201, 202),
	submittedId: fc.oneof(
		{ weight: 6, arbitrary: fc.constantFrom('integer', 'digits', 'composite') },
		fc.constantFrom('missing', 'nested', 'object', 'empty'),
	),
	listedAs: fc.constantFrom(
		...(['id', 'idText', 'both', 'full', 'withParts', 'partsOnly', 'other', 'noIds'] as const),
	),
	getGives: usually('own', 'notFound', 'other', 'part', 'noIds', 'webPage', 'list'),
	notedAfter: usually(0, -20, 15, 90),
	listedAfter: usually(0, 1, 25, 90, 1e9),
	finishedAt: usually('iso', 'isoOffset', 'noZone', 'http', 'seconds', 'milliseconds'),
	unfinishedAt: usually('null', 'missing', 'empty', 'year1970', 'word', 'zero', 'false'),
	runsAsClean: fc.boolean(),
	next: usually(
		...([
			'absolute',
			'http',
			'innerHost',
			'relative',
			'query',
			'bareQuery',
			'number',
			'same',
		] as const),
	),
	lastPage: usually('null', 'absent', 'empty', 'hasMoreOnly'),
	count: usually('right', 'missing', 'null', 'text'),
	pageSize: usually(100, 20, 3),
	longestWindow: usually(Infinity, 3600, 300, 120, 0),
	mostScans: usually(Infinity, 1000, 50),
	refusal: fc.constantFrom(400, 413, 414, 422, 500, 502, 503, 504, 403),
	exactSeconds: fc.boolean(),
	othersEvery: fc.constantFrom(60, 600, 5, 1e6),
	date: usually('right', 'missing', 'yearAhead', 'before1970', 'ahead'),
	errorBody: fc.constantFrom(
		...(['detail', 'field', 'error', 'text', 'page', 'empty', 'deep', 'echo', 'encoded'] as const),
	),
});

const statuses = [302, 307, 400, 401, 403, 404, 408, 409, 410, 418, 500, 502, 503, 504];

const fault: fc.Arbitrary<Fault> = fc.oneof(
	{ weight: 4, arbitrary: fc.constant('none' as const) },
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.constantFrom(...statuses),
		after: fc.boolean(),
	}),
	// One that is refused for its haste was not carried out.
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.constant(429),
		retryAfter: fc.constantFrom(undefined, '0', '5', '90', '86400', 'soon'),
	}),
	fc.record({
		kind: fc.constantFrom(...(['reset', 'cut', 'silence', 'webPage', 'notJson', 'empty'] as const)),
		after: fc.boolean(),
	}),
	fc.constant({ kind: 'refused' as const }),
);

const scan: fc.Arbitrary<History['scans'][number]> = fc.record({
	takes: fc.constantFrom(1, 10, 40, 200, undefined),
	code: fc.constantFrom('CLN', 'CLN', 'MAL', 'SPM', 'XYZ', '', 'clean', null),
	partCode: fc.constantFrom('CLN', 'MAL'),
});

const anyHistory: fc.Arbitrary<History> = fc.record({
	isWell: fc.constant(false),
	traits,
	operation: fc.oneof(
		{ weight: 3, arbitrary: fc.constant('scanUrl' as const) },
		fc.constantFrom('get' as const, 'getAll' as const),
	),
	scans: fc.array(scan, { minLength: 1, maxLength: 6 }),
	onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	onTimeout: fc.constantFrom('error', 'item'),
	waitTimeout: fc.constantFrom(1, 30, 120, 300),
	queueTimeout: fc.constantFrom(600, 60),
	concurrency: fc.constantFrom(1, 10),
	simplify: fc.boolean(),
	callsPerMinute: fc.constantFrom(100, 10),
	faults: fc.array(fault, { maxLength: 12 }),
	callMs: fc.constantFrom(10, 900, 6000),
});

/**
 * Histories of a service that is well, shows its scans under the IDs that it gave, and finishes them in
 * time.
 */
const wellHistory = anyHistory.map((history): History => {
	const { traits, scans } = history;
	const isComposite = traits.submittedId === 'composite';
	const listed: Array<Traits['listedAs']> = isComposite
		? ['both', 'full', 'withParts']
		: ['id', 'idText', 'both', 'withParts'];
	return {
		...history,
		isWell: true,
		operation: 'scanUrl',
		scans: scans.map((one) => ({ ...one, takes: one.takes ?? 25 })),
		...{ waitTimeout: 300, faults: [], callsPerMinute: 100, callMs: Math.min(history.callMs, 900) },
		traits: {
			...traits,
			submittedId: isComposite || traits.submittedId === 'digits' ? traits.submittedId : 'integer',
			listedAs: listed.includes(traits.listedAs) ? traits.listedAs : 'both',
			// Where Get does not know a scan either, it has to be listed within a minute.
			notedAfter: Math.min(traits.notedAfter, 15),
			listedAfter: Math.min(traits.listedAfter, 25),
			longestWindow: Math.max(traits.longestWindow, 120),
			mostScans: Math.max(traits.mostScans, traits.othersEvery < 60 ? 1000 : 50),
			// A busy list in tiny pages takes more calls than waiting may cost.
			pageSize: Math.max(traits.pageSize, traits.othersEvery < 60 ? 20 : 3),
			// A status that says that the token may not.
			refusal: traits.refusal === 403 ? 400 : traits.refusal,
			next: traits.next === 'number' || traits.next === 'same' ? 'relative' : traits.next,
			// Two clocks of one service that differ by minutes.
			date: traits.date === 'ahead' ? 'right' : traits.date,
		},
	};
});

export const histories = fc.oneof(
	{ weight: 3, arbitrary: anyHistory },
	{ weight: 2, arbitrary: wellHistory },
);
