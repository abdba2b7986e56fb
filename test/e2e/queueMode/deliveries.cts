import type { KnownExecution } from './executionLedger.cts';
import type { Delivery } from './receiver.cts';

/** How the entries of the console, the executions of n8n and the receiver fit together. */
export interface DeliveryFigures {
	produced: number;
	executions: number;
	/** Ids that were handed to no execution, or to more than one. */
	lost: string[];
	twice: string[];
	/** Ids that the receiver got although no execution had them, or more than once. */
	invented: string[];
	receivedTwice: string[];
	/** Ids that the receiver did not get although their execution was not interrupted. */
	notReceived: string[];
	/** Executions that ended in another way than they should: with their status. */
	unexpected: string[];
	interrupted: {
		executions: number;
		/** Entries that were handed to them. */
		entries: number;
		/** What n8n says of them. */
		statuses: string[];
	};
}

export function deliveryFigures(
	produced: readonly string[],
	executions: ReadonlyMap<number, KnownExecution>,
	deliveries: readonly Delivery[],
	interruptedIds: ReadonlySet<number>,
): DeliveryFigures {
	const handedOver = countOf([...executions.values()].flatMap((one) => one.handedOver));
	const received = countOf(deliveries.flatMap(({ ids }) => ids));
	const interrupted = [...executions].flatMap(([id, one]) => (interruptedIds.has(id) ? [one] : []));
	const excused = new Set(interrupted.flatMap((one) => one.handedOver));
	return {
		produced: produced.length,
		executions: executions.size,
		lost: produced.filter((id) => !handedOver.has(id)),
		twice: moreThanOnce(handedOver),
		invented: [...received.keys()].filter((id) => !handedOver.has(id)),
		receivedTwice: moreThanOnce(received),
		notReceived: produced.filter((id) => !received.has(id) && !excused.has(id)),
		unexpected: [...executions].flatMap(([id, { status }]) =>
			status === 'success' || interruptedIds.has(id) ? [] : [`execution ${id}: ${status}`],
		),
		interrupted: {
			executions: interrupted.length,
			entries: excused.size,
			statuses: [...new Set(interrupted.map(({ status }) => status))],
		},
	};
}

/** What the receiver at the end of the workflow got, when workers were killed. */
export interface ReceivedCount {
	/** Entries that the console had. */
	produced: number;
	/** Of these, the ones that never arrived. */
	lost: string[];
	/** The ones that arrived more than once. */
	twice: string[];
	/** Of these, the ones that more than one execution brought whose worker lived. */
	twiceAfterItsEnd: string[];
	executions: number;
	/** Of these, the ones without entries, which store that a batch is delivered. */
	withoutEntries: number;
	interrupted: number;
	/** Different entries that were handed to the interrupted executions. */
	entriesInInterrupted: number;
}

export function receivedCount(
	produced: readonly string[],
	executions: ReadonlyMap<number, KnownExecution>,
	deliveries: readonly Delivery[],
	interrupted: ReadonlySet<number>,
): ReceivedCount {
	const received = countOf(deliveries.flatMap(({ ids }) => ids));
	const ofLiving = deliveries.filter(({ execution }) => !interrupted.has(Number(execution)));
	const inInterrupted = [...interrupted].flatMap((id) => executions.get(id)?.handedOver ?? []);
	return {
		produced: produced.length,
		lost: produced.filter((id) => !received.has(id)),
		twice: moreThanOnce(received),
		twiceAfterItsEnd: moreThanOnce(countOf(ofLiving.flatMap(({ ids }) => ids))),
		executions: executions.size,
		withoutEntries: [...executions.values()].filter((one) => one.handedOver.length === 0).length,
		interrupted: interrupted.size,
		entriesInInterrupted: new Set(inInterrupted).size,
	};
}

/** What must not have happened, in sentences. */
export function deliveryFaults(figures: DeliveryFigures): string[] {
	const { lost, twice, invented, receivedTwice, notReceived } = figures;
	const lists = {
		'handed to no execution': lost,
		'handed to more than one execution': twice,
		'received, but handed to no execution': invented,
		'received more than once': receivedTwice,
		'not received, though no worker died': notReceived,
	};
	const faults = Object.entries(lists).flatMap(([what, ids]) =>
		ids.length > 0 ? [`${ids.length} entries ${what}, the first ${ids[0]}`] : [],
	);
	return [...faults, ...figures.unexpected];
}

function countOf(ids: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
	return counts;
}

function moreThanOnce(counts: ReadonlyMap<string, number>): string[] {
	return [...counts].flatMap(([id, count]) => (count > 1 ? [id] : []));
}
