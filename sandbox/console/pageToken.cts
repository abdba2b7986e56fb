import type { LogPosition } from './auditLog.cts';

/** What a page token stands for: a place in the log, and the call that it belongs to. */
export interface PageTokenContent {
	position: LogPosition;
	/** `since` and `limit` as they were sent, empty when they were not. */
	since: string;
	limit: string;
	issuedAtMs: number;
}

/** Makes and reads page tokens. They are opaque and carry everything, so none is kept in memory. */
export class PageTokens {
	private generation = 0;

	constructor(private readonly seed: number) {}

	issue({ position, since, limit, issuedAtMs }: PageTokenContent): string {
		const { timeMs, generated, appended } = position;
		const text = [this.generation, issuedAtMs, timeMs, generated, appended, limit, since].join('|');
		return Buffer.from(`${text}|${checksum(text, this.seed)}`).toString('base64url');
	}

	/** @returns null for a token that this sandbox did not issue, or that `refuseAll` made void. */
	read(token: string): PageTokenContent | null {
		const whole = Buffer.from(token, 'base64url').toString();
		const cut = whole.lastIndexOf('|');
		const text = whole.slice(0, Math.max(cut, 0));
		if (whole.slice(cut + 1) !== checksum(text, this.seed)) return null;
		const [generation, issuedAt, time, generated, appended, limit, since] = text.split('|');
		if (Number(generation) !== this.generation) return null;
		const position = {
			timeMs: Number(time),
			generated: Number(generated),
			appended: Number(appended),
		};
		return { position, since, limit, issuedAtMs: Number(issuedAt) };
	}

	/** From now on, every token that was issued so far is refused. */
	refuseAll(): void {
		this.generation += 1;
	}
}

/** Tells a made-up token from an issued one. No protection against anybody who reads this file. */
function checksum(text: string, seed: number): string {
	let a = 0xdeadbeef ^ seed;
	let b = 0x41c6ce57 ^ seed;
	for (let i = 0; i < text.length; i += 1) {
		a = Math.imul(a ^ text.charCodeAt(i), 2654435761);
		b = Math.imul(b ^ text.charCodeAt(i), 1597334677);
	}
	return ((a ^ (b >>> 15)) >>> 0).toString(36) + ((b ^ (a >>> 13)) >>> 0).toString(36);
}
