import type { INode } from 'n8n-workflow';
import type { Answer, Call, Service } from '../../../../transport/call';
import { callError } from '../../../../transport/errors/callError';
import type { Clock } from '../../../../transport/clock';
import type { CallFailure } from '../../../../transport/errors/failure';
import type { AuditLogPage } from '../../../../services/console/auditLogPage';
import type { ModelLog } from './modelLog';

const node = {
	id: 'n',
	name: 'Node',
	type: 't',
	typeVersion: 1,
	position: [0, 0],
} as unknown as INode;

/** The transport's contract with a model of the log behind it, and a clock that calls move. */
export class ModelService implements Service {
	readonly origin = 'https://console.example.com';
	readonly delays = { calls: 0, longestMs: 0 };
	readonly queries: Array<NonNullable<Call['query']>> = [];
	/** What becomes of the next calls; `undefined` is an answer. */
	readonly troubles: Array<CallFailure | undefined> = [];
	/** How many bytes an answer has. */
	bytesOf: (page: AuditLogPage) => number = () => 0;
	callMs = 0;
	/** By how much the computer's clock is set ahead while a call is on its way, in milliseconds. */
	clockJumpMs = 0;
	/** By how much it is ahead, in milliseconds. */
	clockSkew = 0;
	/** What the console gives for a page token; `null` stands for none. */
	tokenAs: (token: string | null) => unknown = (token) => token;
	/** Whether answers tell the server's time. */
	tellsTime = true;
	readonly clock: Clock = {
		now: () => this.now + this.clockSkew,
		monotonic: () => this.now,
		sleep: async () => {},
	};

	constructor(
		private readonly log: ModelLog,
		public now: number,
	) {}

	async send(call: Call): Promise<Answer> {
		const query = call.query ?? {};
		this.queries.push(query);
		const { since, limit, pageToken } = query as Record<string, string | undefined>;
		const page = this.log.page({ since, limit: Number(limit), pageToken }, this.now);
		this.now += this.callMs;
		this.clockSkew += this.clockJumpMs;
		const failure = this.troubles.shift();
		if (failure) throw this.error(failure, call);
		if (page === 'refused') throw this.error({ kind: 'badRequest', status: 400 }, call);
		const body = { ...page, nextPageToken: this.tokenAs(page.nextPageToken ?? null) };
		const digest = JSON.stringify(body);
		const date = new Date(this.now).toUTCString();
		return {
			status: 200,
			headers: this.tellsTime ? { date } : {},
			body: digest === call.knownDigest ? undefined : body,
			bytes: this.bytesOf(page),
			digest,
			tookMs: this.callMs,
		};
	}

	async wrongShape(call: Pick<Call, 'purpose'>, what: string, itemIndex?: number) {
		return this.error({ kind: 'wrongShape', detail: what }, call, itemIndex);
	}

	async toldError(call: Pick<Call, 'purpose'>, itemIndex?: number) {
		return this.error({ kind: 'toldError' }, call, itemIndex);
	}

	private error(failure: CallFailure, { purpose }: Pick<Call, 'purpose'>, itemIndex?: number) {
		return callError(node, failure, { purpose, serviceName: 'console', itemIndex });
	}
}
