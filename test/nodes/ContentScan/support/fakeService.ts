import type { INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { callAddress } from '../../../../transport/address';
import { redactor } from '../../../../transport/errors/redaction';
import { quotation } from '../../../../transport/errors/serverMessage';
import type { Answer, Call, CallContext, Service } from '../../../../transport/call';
import type { FailureKind } from '../../../../transport/errors/failure';
import { statusFailure } from '../../../../transport/errors/failure';
import type { ScanService } from '../../../../services/scanning/scanService';
import { callMaker } from '../../../../services/scanning/scanService';

export const node: INode = {
	id: 'node',
	name: 'Content Scan',
	type: 'contentScan',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** A call that reached the fake service; a further page of the list stands in `address`. */
export interface Sent {
	call?: Call;
	address?: string;
	context: CallContext;
}

type Reply = (sent: Sent) => unknown;

/** A status other than 2xx, or an answer that cannot be used, as the transport would throw it. */
export class Refusal {
	constructor(
		readonly status: number,
		readonly kind?: FailureKind,
	) {}
}

/** The transport's contract with a body chosen by the test, and what was sent through it. */
export class FakeService implements Service {
	readonly origin = 'https://scan.example.com';
	delays = { calls: 0, longestMs: 0 };
	readonly sent: Sent[] = [];

	/** How many bytes an answer has. */
	bytesOf: (body: unknown) => number = () => 0;

	constructor(
		private readonly reply: Reply,
		private readonly date: () => string | undefined = () => undefined,
		private readonly now: () => number = () => 0,
	) {}

	async send(call: Call, context: CallContext = {}): Promise<Answer> {
		const { rawQuery } = call;
		const sent = rawQuery === undefined ? { call } : { address: callAddress(this.origin, call) };
		return await this.answer({ ...sent, context }, call.purpose);
	}

	async wrongShape(
		call: Pick<Call, 'purpose'>,
		what: string,
		itemIndex?: number,
		quote?: string,
	): Promise<NodeApiError> {
		const message = `Could not ${call.purpose}: ${what}`;
		const description = quote && `It says: "${quote}".`;
		const error = new NodeApiError(node, { message }, { message, description, itemIndex });
		error.context.failureKind = 'wrongShape';
		return error;
	}

	async toldError(
		call: Pick<Call, 'purpose'>,
		itemIndex?: number,
		quote?: string,
	): Promise<NodeApiError> {
		const error = await this.wrongShape(
			call,
			'the service answered that something went wrong',
			itemIndex,
			quote,
		);
		error.context.failureKind = 'toldError';
		return error;
	}

	private async answer(sent: Sent, purpose: string): Promise<Answer> {
		this.sent.push(sent);
		const begun = this.now();
		const body = await this.reply(sent);
		if (body instanceof Refusal) {
			const message = `Could not ${purpose} (${body.status})`;
			const error = new NodeApiError(node, { message }, { message, httpCode: String(body.status) });
			error.context.failureKind = body.kind ?? statusFailure(body.status);
			throw error;
		}
		const date = this.date();
		return {
			status: 200,
			headers: date === undefined ? {} : { date },
			body,
			bytes: this.bytesOf(body),
			tookMs: this.now() - begun,
		};
	}
}

let tokens = 0;

/** The scanning service with the fake behind it, and a token that no other test has. */
export function scanService(
	service: Service,
	operationPaths: Record<string, unknown> = {},
	callsPerMinute = 100,
): ScanService {
	return {
		service,
		callsPerMinute,
		quoted: async (text, secrets = []) => quotation(text, redactor(secrets)),
		tokenKey: `fake token ${++tokens}`,
		call: callMaker({ operationPaths } as never),
	};
}
