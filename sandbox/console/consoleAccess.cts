import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../clock.cts';
import { hexDigits } from '../deterministic.cts';
import { bearerPrefix, sandboxServiceAccount } from '../fixtures/accounts.cts';
import type { ConsoleSettings } from '../settings.cts';

/**
 * Who may read the audit log. docs/interface.md (Authentication) shows only
 * that request headers are sent: here a set of headers, or a bearer token from the token endpoint.
 */
export class ConsoleAccess {
	private readonly bearers = new Map<string, number>();
	private issued = 0;
	private accountRevoked = false;

	constructor(
		private readonly clock: Clock,
		private readonly seed: number,
		private readonly settings: ConsoleSettings,
	) {}

	/** @returns a label for the journal, null when the request is not authenticated. */
	callerOf(request: FastifyRequest): string | null {
		const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
		if (bearer !== undefined) {
			return this.clock.now() < (this.bearers.get(bearer) ?? 0) ? 'bearer' : null;
		}
		const headers = Object.entries(this.settings.headers);
		const allThere = headers.every(([name, value]) => {
			const sent = request.headers[name.toLowerCase()];
			return typeof sent === 'string' && isSame(sent, value);
		});
		return headers.length > 0 && allThere ? 'headers' : null;
	}

	/** Whether `Authorization: Basic …` names the service account. */
	isServiceAccount(authorization: string | undefined): boolean {
		const { clientId, clientSecret } = sandboxServiceAccount;
		const expected = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
		return !this.accountRevoked && isSame(authorization ?? '', `Basic ${expected}`);
	}

	/** A new bearer token, good for `bearerLifetimeSeconds` of the clock. */
	issueBearer(): string {
		this.issued += 1;
		const bearer = `${bearerPrefix}${this.issued}-${hexDigits(this.seed, this.issued)}`;
		const lifetimeMs = this.settings.bearerLifetimeSeconds * 1000;
		this.bearers.set(bearer, this.clock.now() + lifetimeMs);
		return bearer;
	}

	/** Makes every bearer token void at once. */
	revokeBearers(): void {
		this.bearers.clear();
	}

	/** Takes the service account away, or gives it back. */
	setServiceAccountRevoked(revoked: boolean): void {
		this.accountRevoked = revoked;
	}
}

function isSame(a: string, b: string): boolean {
	const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(a), digest(b));
}
