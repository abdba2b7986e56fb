import { createHash } from 'node:crypto';
import type { LogPosition } from './auditLog.cts';

/** What a page token stands for: a place in the log, and the call that it belongs to. */
export interface PageTokenContent {
	position: LogPosition;
	/** `since` and `limit` as they were sent, empty when they were not. */
	since: string;
	limit: string;
}

/** Makes and reads page tokens. They are opaque and carry everything, so none is kept in memory. */
export class PageTokens {
	private generation = 0;

	constructor(private readonly seed: number) {}

	issue({ position, since, limit }: PageTokenContent): string {
		const { timeMs, generated, appended } = position;
		const text = [timeMs, generated, appended, limit, since].join('|');
		return Buffer.from(`${text}|${this.mark(text)}`).toString('base64url');
	}

	/** @returns null for a token that this sandbox did not issue, or that `refuseAll` made void. */
	read(token: string): PageTokenContent | null {
		const whole = Buffer.from(token, 'base64url').toString();
		const cut = whole.lastIndexOf('|');
		const text = whole.slice(0, Math.max(cut, 0));
		if (whole.slice(cut + 1) !== this.mark(text)) return null;
		const [time, generated, appended, limit, since] = text.split('|');
		const position = {
			timeMs: Number(time),
			generated: Number(generated),
			appended: Number(appended),
		};
		return { position, since, limit };
	}

	/** From now on, every token that was issued so far is refused. */
	refuseAll(): void {
		this.generation += 1;
	}

	/** Tells a made-up token from an issued one. No protection against anybody who reads this file. */
	private mark(text: string): string {
		const hash = createHash('sha256').update(`${this.seed} ${this.generation} ${text}`);
		return hash.digest('hex').slice(0, 12);
	}
}
