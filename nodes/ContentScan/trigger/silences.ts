import type { NodeApiError } from 'n8n-workflow';
import { failureKindOf } from '../../../transport/errors/callError';
import type { FailureKind } from '../../../transport/errors/failure';
import type { ListWindow } from './reading/listWindow';

/** How a call fails that gets no answer, or not all of it, in time. */
export const SILENT: Array<FailureKind | undefined> = ['noAnswer', 'answerTooSlow'];

/** An answer may take so many times as long as the slowest before, and at least this, in milliseconds. */
const PATIENCE = 20;
const LEAST_PATIENCE_MS = 10_000;

/**
 * What was waited for as long as this, in milliseconds, or ten times as long as others took, will not come.
 * The first call of the shortest poll, of 30 seconds, is waited for longer.
 */
const LONG_ENOUGH_MS = 12_000;
const SOON_MS = 5_000;

/** A window that is silent in so many polls in a row is refused, however short it was waited for. */
const MOST_SILENCES = 3;

/** A window that got no answer in all the time that its call had. */
export interface Silence {
	window: ListWindow;
	waitedMs: number;
}

export function isSilent(error: NodeApiError): boolean {
	return SILENT.includes(failureKindOf(error));
}

/**
 * How long answers are waited for, and what it says if one does not come: a service may be slow, or hang for
 * one scan. It is told by how soon others are answered. Kept from poll to poll.
 */
export class Silences {
	/** Whether the next poll is to find out first if the service answers at all. */
	mustProbe = false;
	/** The longest that an answer has taken in the latest poll that had one, in milliseconds. */
	private slowestMs = Infinity;
	private hadAnswer = false;
	private polls = 0;
	private last?: { window: string; poll: number; polls: number };

	beginPoll(): void {
		this.polls++;
		this.hadAnswer = false;
	}

	noteAnswer(tookMs: number): void {
		this.slowestMs = this.hadAnswer ? Math.max(this.slowestMs, tookMs) : tookMs;
		this.hadAnswer = true;
	}

	/** Nothing was answered in a poll, so that nothing is known of how long it takes now. */
	forget(): void {
		this.slowestMs = Infinity;
	}

	/** How long an answer may take at most, in milliseconds. */
	get patienceMs(): number {
		return Math.max(LEAST_PATIENCE_MS, PATIENCE * this.slowestMs);
	}

	/** Whether a call that got no answer had enough time for one, as far as is known. */
	hadItsTime(waitedMs: number): boolean {
		const isLong = waitedMs >= Math.max(SOON_MS, Math.min(LONG_ENOUGH_MS, 10 * this.slowestMs));
		return isLong && (this.slowestMs === Infinity || waitedMs > 1.2 * this.slowestMs);
	}

	/** Whether a silence says something of its window: it was long, or comes in each poll. */
	saysSomething({ window, waitedMs }: Silence): boolean {
		const name = `${window.kind} ${window.start}`;
		const { last, polls: poll } = this;
		const isSame = last?.window === name && poll - last.poll <= 2;
		const polls = isSame ? last.polls + (last.poll === poll ? 0 : 1) : 1;
		this.last = { window: name, poll, polls };
		return polls >= MOST_SILENCES || this.hadItsTime(waitedMs);
	}
}
