import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { NodeFailure } from '../../common/itemResult';
import { nodeFailure } from '../../common/itemResult';
import type { ItemRun } from './itemRun';
import type { Settled } from './taskPool';

/** Scans that the text names; all of them stand in the error's context. */
const MOST_NAMED = 1000;

export interface EndedTask {
	item?: ItemRun;
	settled?: Settled<unknown>;
}

function place({ task }: ItemRun): string {
	const file = task.binaryField === undefined ? '' : `, '${task.binaryField}'`;
	return `item ${task.itemIndex}${file}`;
}

function list(entries: string[]): string {
	const more = entries.length - MOST_NAMED;
	return `${entries.slice(0, MOST_NAMED).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

/** What is known of a scan in the words of the service, as an error may quote them. */
function quotedScan(item: ItemRun): ItemRun['known'] {
	const quoted = Object.entries(item.known).map(([key, value]) => [
		key,
		value && item.quoted(value),
	]);
	return Object.fromEntries(quoted) as ItemRun['known'];
}

function submittedScans(items: ItemRun[]): string {
	const byVerdict = new Map<string, string[]>();
	for (const item of items) {
		const { scanId, verdict: known } = quotedScan(item);
		const verdict = known ?? 'no verdict yet';
		const scans = byVerdict.get(verdict) ?? [];
		scans.push(`${scanId} (${place(item)})`);
		byVerdict.set(verdict, scans);
	}
	const groups = [...byVerdict].map(([verdict, scans]) => `${verdict}: ${list(scans)}`);
	return `Scans that were submitted, by verdict: ${groups.join('; ')}.`;
}

function history(tasks: EndedTask[], ownError: unknown): string[] {
	const items = tasks.map(({ item }) => item).filter((item) => item !== undefined);
	const submitted = items.filter(({ known }) => known.submittedId !== undefined);
	const mutated = items.filter(({ mutated, known }) => mutated && !known.submittedId);
	const unclear = tasks.filter(
		({ settled }) =>
			settled?.ok === false &&
			settled.error !== ownError &&
			settled.error instanceof NodeApiError &&
			settled.error.context.unclear === true,
	);
	const sentences: string[] = [];
	if (submitted.length > 0) sentences.push(submittedScans(submitted));
	if (mutated.length > 0) {
		sentences.push(`The call was carried out, and is not undone, for ${list(mutated.map(place))}.`);
	}
	if (unclear.length > 0) {
		const places = unclear.map(({ item }) => item).filter((item) => item !== undefined);
		sentences.push(`It is not certain whether it was carried out for ${list(places.map(place))}.`);
	}
	return sentences;
}

/** The error that ends a run. What was done for this and the other items stays visible in it. */
export function runError(
	context: IExecuteFunctions,
	error: unknown,
	itemIndex: number,
	tasks: EndedTask[],
): NodeFailure {
	const failure = nodeFailure(context, error, itemIndex);
	const sentences = [failure.description ?? '', ...history(tasks, error)];
	failure.description = sentences.filter(Boolean).join(' ');
	const scans = tasks.flatMap(({ item }) =>
		item?.known.submittedId === undefined ? [] : { ...item.task, ...quotedScan(item) },
	);
	if (scans.length > 0) failure.context.scans = scans;
	// What the list of scans was refused with is of no item by itself.
	failure.context.itemIndex ??= itemIndex;
	return failure;
}
