import { isRecord } from '../../transport/isRecord';
import type { ReceivedCall, ReceiverAnswer } from '../sandbox/receiver.cts';
import { parsedJson } from './parsedJson.cts';

/** Longest ID of a document, in bytes. */
const LONGEST_ID = 512;

/**
 * The bulk interface of Elasticsearch and OpenSearch as their documentation has it: newline-delimited
 * JSON with a newline at the end, an action before each document, 200 also where documents are
 * refused, 409 for a document that is there already.
 */
export class BulkIndex {
	static readonly authorization = 'ApiKey key-of-the-test';

	readonly documents = new Map<string, object>();

	constructor(private readonly refuses: (document: object) => boolean = () => false) {}

	answer({ method, path, headers, body }: ReceivedCall): ReceiverAnswer {
		if (method !== 'POST' || !path.startsWith('/console-audit-log/_bulk')) return 404;
		if (headers.authorization !== BulkIndex.authorization) {
			return refusal(401, 'security_exception', 'unable to authenticate');
		}
		if (!/^application\/(x-ndjson|json)\b/.test(headers['content-type'] ?? '')) {
			return refusal(406, 'media_type_header_exception', 'Content-Type is not supported');
		}
		const lines = body.split('\n');
		if (lines.pop() !== '') return malformed('must be terminated by a newline [\\n]');
		if (lines.length === 0) return malformed('is required');
		if (lines.length % 2 !== 0) return malformed('ends with an action');
		const pairs = Array.from({ length: lines.length / 2 }, (_, pair) => ({
			id: createdId(lines[2 * pair]),
			document: parsedJson(lines[2 * pair + 1]),
		}));
		// Of a request that is malformed nothing is stored.
		if (pairs.some(({ id }) => id === undefined)) return malformed('has a malformed action line');
		const items = pairs.map(({ id, document }) => ({ create: this.store(id!, document) }));
		return { status: 200, json: { errors: items.some(({ create }) => create.error), items } };
	}

	private store(id: string, document: unknown): { status: number; error?: object } {
		if (!isRecord(document) || this.refuses(document)) {
			return { status: 400, error: { type: 'document_parsing_exception' } };
		}
		if (this.documents.has(id)) {
			return { status: 409, error: { type: 'version_conflict_engine_exception' } };
		}
		this.documents.set(id, document);
		return { status: 201 };
	}
}

/** The ID in a line such as `{"create":{"_id":"a"}}`; `undefined` for any other line. */
function createdId(line: string): string | undefined {
	const action = parsedJson(line);
	if (!isRecord(action) || Object.keys(action).join() !== 'create') return undefined;
	const id = isRecord(action.create) ? action.create._id : undefined;
	const isUsable = typeof id === 'string' && id !== '' && Buffer.byteLength(id) <= LONGEST_ID;
	return isUsable ? id : undefined;
}

function malformed(how: string): ReceiverAnswer {
	return refusal(400, 'illegal_argument_exception', `The bulk request ${how}`);
}

function refusal(status: number, type: string, reason: string): ReceiverAnswer {
	return { status, json: { error: { type, reason }, status } };
}
