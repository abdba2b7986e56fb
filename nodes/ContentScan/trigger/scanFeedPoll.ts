import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { listBudget } from '../../../services/scanning/listBudget';
import { connectScanService } from '../../../services/scanning/scanService';
import { believedTime } from '../../../services/serverTime';
import type { Clock } from '../../../transport/clock';
import { systemClock } from '../../../transport/clock';
import { operationError } from '../../../transport/errors/operationError';
import type { Batch, PolledSource } from '../../common/polling/deliverNew';
import { deliverNew } from '../../common/polling/deliverNew';
import { pollDeadline } from '../../common/polling/pollHost';
import { SIZE_OPTION } from './feedFields';
import { eventItem } from './feedItems';
import type { TriggerSettings } from './feedSettings';
import { triggerSettings } from './feedSettings';
import { newestScans } from './newestScans';
import type { FeedSource } from './readList';
import { pagesOf, readList } from './readList';
import { FeedReading } from './reading/feedReading';
import type { FeedState } from './reading/feedState';
import { freshState, readStoredState } from './reading/feedState';

/** Longest time for reading, in milliseconds: what was found should not wait for the rest. */
const LONGEST_READING_MS = 45_000;

/**
 * One poll of the trigger: reads what is new in the list of scans and what was pending, and delivers
 * the scans that have finished with a selected verdict.
 *
 * @returns `null` when there is nothing to deliver.
 * @throws NodeApiError when the list cannot be read.
 */
export async function pollScanFeed(
	context: IPollFunctions,
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][] | null> {
	const begun = clock.now();
	const settings = triggerSettings(context);
	const scans = await connectScanService(context);
	const budget = listBudget(scans, clock);
	const deadline = pollDeadline(context, begun);
	const source: FeedSource = {
		scans,
		budget,
		filters: settings.filters,
		clock,
		deadline: Math.min(deadline, begun + LONGEST_READING_MS),
	};
	if (context.getMode() === 'manual') return [await testEvents(context, source, settings)];
	const { moveOn } = settings;
	const feed = new PolledFeed(context, source, settings);
	return await deliverNew(context, feed, { moveOn, deadline, clock, sizeOption: SIZE_OPTION });
}

async function testEvents(
	context: IPollFunctions,
	source: FeedSource,
	{ verdicts, simplify }: TriggerSettings,
): Promise<INodeExecutionData[]> {
	const newest = await newestScans(source, verdicts);
	if (newest.length === 0) throw operationError(context.getNode(), noTestEvent(verdicts));
	return newest.map((record) => eventItem({ event: 'finished', record, created: 0 }, simplify));
}

function noTestEvent(verdicts: string[]): UserError {
	const which = verdicts.length === 0 ? '' : ` with one of these verdicts: ${verdicts.join(', ')}`;
	return new UserError(`No finished scan of the last 90 days was found${which}`, {
		description:
			"The trigger still works: publish the workflow, and the next such scan starts it. To see a test event now, select more 'Verdicts', or submit a test file with Content Scan. Check 'Origin' and 'Organization ID' if they are set.",
	});
}

/** The list of scans as a service that a trigger polls. */
class PolledFeed implements PolledSource<FeedState> {
	readonly scope: string;

	constructor(
		private readonly context: IPollFunctions,
		private readonly source: FeedSource,
		private readonly settings: TriggerSettings,
	) {
		this.scope = JSON.stringify([source.scans.service.origin]);
	}

	position(stored: unknown): FeedState | undefined {
		const read = readStoredState(stored, this.scope);
		switch (read.kind) {
			case 'state':
				return read.state;
			case 'none':
			case 'otherScope':
				return undefined;
			case 'newer':
			case 'unreadable':
				throw operationError(this.context.getNode(), unusable(read.kind));
		}
	}

	async start(): Promise<{ position: FeedState; isNow: boolean }> {
		const { startDate } = this.settings;
		if (startDate !== undefined) {
			return { position: freshState(this.scope, startDate), isNow: false };
		}
		const now = await this.serverNow();
		return { position: freshState(this.scope, now), isNow: true };
	}

	async read(from: FeedState): Promise<Batch<FeedState>> {
		const { source, settings } = this;
		const reading = new FeedReading(from, settings.reading, seconds(source.clock.now()));
		const failure = await readList(source, reading);
		const items = reading.events.map((event) => eventItem(event, settings.simplify));
		// The calls of a poll are counted: the rest comes with the next one.
		return { items, after: reading.state, hasMore: false, failure };
	}

	/** The service's clock, in epoch seconds: that of the computer may be minutes off. */
	private async serverNow(): Promise<number> {
		const { clock } = this.source;
		const now = seconds(clock.now());
		for await (const { askedAt } of pagesOf(this.source, { start: now, end: now, limit: 1 })) {
			return seconds(believedTime(askedAt, clock.now()) ?? clock.now());
		}
		return now;
	}
}

function seconds(milliseconds: number): number {
	return Math.floor(milliseconds / 1000);
}

function unusable(kind: 'newer' | 'unreadable'): UserError {
	const why = kind === 'newer' ? 'was written by a newer version of the package' : 'cannot be read';
	return new UserError(`The stored position of this trigger ${why}`, {
		description:
			'Nothing was read, so that nothing is lost or comes twice. Install the version that wrote it, or replace the node by a new one, which starts as its Start From says.',
	});
}
