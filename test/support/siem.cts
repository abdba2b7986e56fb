import type { ReceivedCall, ReceiverAnswer } from '../sandbox/receiver.cts';

/**
 * The bulk interface of Elasticsearch and OpenSearch as their documentation has it: newline-delimited
 * JSON with a newline at the end, an action before each document, 200 also where documents are
 * refused, 409 for a document that is there already.
 */
export class BulkIndex {
	readonly documents = new Map<string, object>();

	constructor(private readonly refuses: (document: object) => boolean = () => false) {}

	answer({ method, path, headers, body }: ReceivedCall): ReceiverAnswer {
		if (method !== 'POST' || !path.startsWith('/console-audit-log/_bulk')) return 404;
		if (!headers['content-type']?.startsWith('application/x-ndjson')) return 406;
		const lines = body.split('\n');
		if (lines.pop() !== '' || lines.length % 2 !== 0) return badRequest();
		const items: Array<{ create: { status: number; error?: object } }> = [];
		for (let line = 0; line < lines.length; line += 2) {
			const { create } = JSON.parse(lines[line]) as { create?: { _id?: string } };
			if (typeof create?._id !== 'string') return badRequest();
			const document = JSON.parse(lines[line + 1]) as object;
			items.push({ create: this.store(create._id, document) });
		}
		return { status: 200, json: { errors: items.some(({ create }) => create.error), items } };
	}

	private store(id: string, document: object): { status: number; error?: object } {
		if (this.refuses(document)) {
			return { status: 400, error: { type: 'document_parsing_exception' } };
		}
		if (this.documents.has(id)) {
			return { status: 409, error: { type: 'version_conflict_engine_exception' } };
		}
		this.documents.set(id, document);
		return { status: 201 };
	}
}

function badRequest(): ReceiverAnswer {
	return { status: 400, json: { error: { type: 'illegal_argument_exception' }, status: 400 } };
}

/** The event endpoint of Splunk's HTTP Event Collector: JSON objects one after the other. */
export class EventCollector {
	readonly events: Array<{ event: object; time: number | null; fields: { eventKey: string } }> = [];

	answer({ method, path, body }: ReceivedCall): ReceiverAnswer {
		if (method !== 'POST' || path !== '/services/collector/event') return 404;
		try {
			for (const line of body.trimEnd().split('\n')) this.events.push(JSON.parse(line));
			return { status: 200, json: { text: 'Success', code: 0 } };
		} catch {
			return { status: 400, json: { text: 'Invalid data format', code: 6 } };
		}
	}
}
