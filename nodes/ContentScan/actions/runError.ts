import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { shortened } from '../../../input/enteredValues';
import type { NodeFailure } from '../../common/itemResult';
import { nodeFailure, withAdviceForAgent } from '../../common/itemResult';
import type { ItemRun } from './itemRun';
import type { Settled } from './taskPool';

/** Scans that the text names; all of them stand in the error's context. */
const MOST_NAMED = 1000;

interface EndedTask {
	item?: ItemRun;
	settled?: Settled<unknown>;
}

function place({ task }: ItemRun): string {
	const file = task.binaryField === undefined ? '' : `, '${shortened(task.binaryField)}'`;
	return `item ${task.itemIndex}${file}`;
}

function list(entries: string[]): string {
	const more = entries.length - MOST_NAMED;
	return `${entries.slice(0, MOST_NAMED).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

/** A scan that was submitted, and what is known of it as an error may quote it. */
interface SubmittedScan {
	item: ItemRun;
	known: ItemRun['known'];
}

async function submittedScans(tasks: EndedTask[]): Promise<SubmittedScan[]> {
	const submitted: SubmittedScan[] = [];
	for (const { item } of tasks) {
		if (item?.known.submittedId === undefined) continue;
		// A scan that was submitted is found by its ID alone.
		const quoted = await Promise.all(
			Object.entries(item.known).map(async ([key, value]) => [
				key,
				value && (await item.quoted(value, { isVital: true })),
			]),
		);
		submitted.push({ item, known: Object.fromEntries(quoted) as ItemRun['known'] });
	}
	return submitted;
}

function byVerdict(submitted: SubmittedScan[]): string {
	const groups = new Map<string, string[]>();
	for (const { item, known } of submitted) {
		const verdict = known.verdict ?? 'no verdict yet';
		const scans = groups.get(verdict) ?? [];
		scans.push(`${known.scanId} (${place(item)})`);
		groups.set(verdict, scans);
	}
	const texts = [...groups].map(([verdict, scans]) => `${verdict}: ${list(scans)}`);
	return `Scans that were submitted, by verdict: ${texts.join('; ')}.`;
}

function endedUnclear(settled: EndedTask['settled'], ownError: unknown): boolean {
	if (settled?.ok !== false || settled.error === ownError) return false;
	return settled.error instanceof NodeApiError && settled.error.context.unclear === true;
}

function history(tasks: EndedTask[], submitted: SubmittedScan[], ownError: unknown): string[] {
	const items = tasks.map(({ item }) => item).filter((item) => item !== undefined);
	const mutated = items.filter(({ mutated, known }) => mutated === true && !known.submittedId);
	const unclear = tasks
		.filter(({ item, settled }) => item?.mutated === 'unclear' || endedUnclear(settled, ownError))
		.map(({ item }) => item)
		.filter((item) => item !== undefined);
	const sentences: string[] = [];
	if (submitted.length > 0) sentences.push(byVerdict(submitted));
	if (mutated.length > 0) {
		sentences.push(`Already carried out, and not undone: ${list(mutated.map(place))}.`);
	}
	if (unclear.length > 0) {
		sentences.push(
			`It is not certain whether the call was carried out for ${list(unclear.map(place))}.`,
		);
	}
	return sentences;
}

/** The error that ends a run. What was done for this and the other items stays visible in it. */
export async function runError(
	context: IExecuteFunctions,
	error: unknown,
	itemIndex: number,
	tasks: EndedTask[],
): Promise<NodeFailure> {
	const failure = nodeFailure(context, error, itemIndex);
	const submitted = await submittedScans(tasks);
	const sentences = [failure.description ?? '', ...history(tasks, submitted, error)];
	failure.description = sentences.filter(Boolean).join(' ');
	if (submitted.length > 0) {
		failure.context.scans = submitted.map(({ item, known }) => ({ ...item.task, ...known }));
	}
	// What the list of scans was refused with is of no item by itself.
	failure.context.itemIndex ??= itemIndex;
	return withAdviceForAgent(context, failure);
}
