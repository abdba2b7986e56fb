import type { ReceivedCall } from '../sandbox/receiver.cts';
import { BulkIndex } from './bulkIndex.cts';
import { EventCollector } from './eventCollector.cts';

/** The stand-ins for SIEM tools refuse what the tools refuse: else a test that passes says little. */

const call = (path: string, authorization: string | undefined, body: string): ReceivedCall => ({
	method: 'POST',
	path,
	headers: { authorization, 'content-type': 'application/x-ndjson' },
	body,
});

describe("Splunk's event collector", () => {
	const { authorization } = EventCollector;
	const answerTo = (body: string, token: string | undefined = authorization) =>
		new EventCollector().answer(call('/services/collector/event', token, body));

	it.each([
		['', 401, 2],
		['Bearer x', 401, 3],
		['Splunk', 401, 3],
		['Splunk x', 403, 4],
	])('refuses the authorization "%s" with %i, code %i', (token, status, code) => {
		const headers = token === '' ? undefined : token;
		const collector = new EventCollector();
		const answer = collector.answer(
			call('/services/collector/event', headers, '{"event":{"a":1}}\n'),
		);
		expect(answer).toMatchObject({ status, json: { code } });
		expect(collector.events).toEqual([]);
	});

	it.each([
		['not JSON', 6],
		['[]', 6],
		['{"time":1}', 12],
		['{"event":""}', 13],
		['{"event":null}', 6],
		['{"event":{},"time":null}', 6],
		['{"event":{},"time":"2026-06-01T00:00:00.000Z"}', 6],
		['{"event":{},"fields":{"a":{"b":1}}}', 15],
	])('refuses %s with code %i, and tells which event it is', (line, code) => {
		const answer = answerTo(`{"event":{"a":1},"time":1769860800.123}\n${line}\n`);
		expect(answer).toMatchObject({ status: 400, json: { code, 'invalid-event-number': 1 } });
	});

	it('refuses an empty request', () => {
		expect(answerTo('\n')).toMatchObject({ status: 400, json: { code: 5 } });
	});

	it('takes events one after the other', () => {
		const body = '{"event":{"a":1},"time":1.5}\n{"event":"b","fields":{"eventKey":"k"}}\n';
		expect(answerTo(body)).toEqual({ status: 200, json: { text: 'Success', code: 0 } });
	});
});

describe('the bulk interface', () => {
	const { authorization } = BulkIndex;
	const path = '/console-audit-log/_bulk';
	const create = (id: string) => `{"create":{"_id":"${id}"}}\n`;

	it.each([
		['no newline at the end', `${create('a')}{}`],
		['an action without a document', `${create('a')}{}\n${create('b')}`],
		['an empty line at the end', `${create('a')}{}\n\n`],
		['another action', '{"index":{"_id":"a"}}\n{}\n'],
		['an ID that is too long', `${create('a'.repeat(513))}{}\n`],
		['nothing', ''],
	])('refuses a request with %s, and stores nothing of it', (_, body) => {
		const index = new BulkIndex();
		expect(index.answer(call(path, authorization, body))).toMatchObject({ status: 400 });
		expect(index.documents.size).toBe(0);
	});

	it('refuses another key and another type of content', () => {
		const index = new BulkIndex();
		const good = call(path, authorization, `${create('a')}{}\n`);
		const text = { ...good.headers, 'content-type': 'text/plain' };
		expect(
			index.answer({ ...good, headers: { ...good.headers, authorization: 'ApiKey x' } }),
		).toMatchObject({ status: 401 });
		expect(index.answer({ ...good, headers: text })).toMatchObject({ status: 406 });
		expect(index.documents.size).toBe(0);
	});

	it('tells of a document that it refuses within an answer 200, and stores the others', () => {
		const index = new BulkIndex((document) => 'bad' in document);
		const body = `${create('a')}{}\n${create('b')}{"bad":1}\n${create('a')}{}\n${create('c')}[1]\n`;
		const answer = index.answer(call(path, authorization, body));
		expect(answer).toMatchObject({
			status: 200,
			json: {
				errors: true,
				items: [201, 400, 409, 400].map((status) => ({ create: { status } })),
			},
		});
		expect([...index.documents.keys()]).toEqual(['a']);
	});
});
