import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isJsonObject } from '../jsonValue.cts';
import { detail, fieldError } from '../wire/refusal.cts';
import { callerOf, reachableScan } from './access.cts';
import type { ScanningParts } from './parts.cts';
import { scanRecord } from './scanRecord.cts';
import type { Scan } from './scanStore.cts';
import { isFinished } from './scanStore.cts';
import type { VerdictCode } from './verdicts.cts';
import { isHeldBack, isVerdictCode, verdictCodes } from './verdicts.cts';

type ById = { Params: { id: string } };

/**
 * Change verdict, request investigation, release. Only the release has a public path; the other
 * two paths and payloads are the sandbox's own (see `sandboxOperationPaths`).
 */
export function remediationRoutes(app: FastifyInstance, parts: ScanningParts): void {
	const { clock } = parts;
	app.all<ById>(
		'/api/v1/scans/:id/verdict/',
		{ config: { endpoint: { method: 'PUT', needs: 'changeVerdict' } } },
		async (request) => {
			const found = parts.scans.byId(request.params.id);
			const scan = reachableScan(parts, request, found, 'changeVerdict');
			const body = jsonBody(request, ['verdict', 'reason']);
			const verdict = verdictField(body, 'verdict');
			const reason = textField(body, 'reason');
			if (!isFinished(scan, clock.now())) throw detail(409, 'The scan has not finished.');
			changeVerdict(scan, verdict, reason);
			return scanRecord(scan, clock.now());
		},
	);
	app.all<ById>(
		'/api/v1/scans/:id/investigation/',
		{ config: { endpoint: { method: 'POST', needs: 'requestInvestigation' } } },
		async (request, reply) => {
			const found = parts.scans.byId(request.params.id);
			const scan = reachableScan(parts, request, found, 'requestInvestigation');
			const body = jsonBody(request, ['expected_verdict', 'comment']);
			const { id } = parts.scans.investigate({
				fullScanId: scan.fullScanId,
				expectedVerdict: verdictField(body, 'expected_verdict'),
				comment: textField(body, 'comment') ?? '',
				requestedBy: callerOf(request).label,
				requestedAtMs: clock.now(),
			});
			return await reply.code(201).send({ investigation_id: id, status: 'open' });
		},
	);
	for (const path of ['/api/v1/quarantine/release/:id', '/api/v1/quarantine/release/:id/']) {
		app.all<ById>(
			path,
			{ config: { endpoint: { method: 'GET', needs: 'releaseEmail' } } },
			async (request, reply) => await release(parts, request, reply),
		);
	}
}

/**
 * A GET with a side effect. A second release changes nothing and says so with 200, since the email
 * is where the caller wanted it.
 */
async function release(
	parts: ScanningParts,
	request: FastifyRequest<ById>,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const found = parts.scans.byId(request.params.id);
	const scan = reachableScan(parts, request, found, 'releaseEmail');
	if (scan.quarantine === 'none') throw detail(400, 'The scan has no email in quarantine.');
	const again = scan.quarantine === 'released';
	scan.quarantine = 'released';
	scan.handleStatus = 'handled';
	if (parts.settings.scanning.releaseAnswer === 'empty') return await reply.code(204).send();
	return await reply.send({
		status: 'released',
		detail: again ? 'The email had been released before.' : 'The email was released.',
	});
}

/**
 * The effects that the user guide describes: to clean releases the email, from clean to malicious
 * quarantines it; no other scan changes.
 */
function changeVerdict(scan: Scan, verdict: VerdictCode, reason: string | null): void {
	const wasHeldBack = isHeldBack(scan.verdict);
	if (scan.type === 'Email' && wasHeldBack && verdict === 'CLN') scan.quarantine = 'released';
	if (scan.type === 'Email' && scan.verdict === 'CLN' && verdict === 'MAL') {
		scan.quarantine = 'quarantined';
	}
	scan.verdict = verdict;
	scan.laterVerdicts = [];
	scan.verdictReason = reason;
	scan.handleStatus = 'handled';
}

function jsonBody(request: FastifyRequest, known: string[]): Record<string, unknown> {
	const type = request.headers['content-type'] ?? '';
	if (!/^application\/json\b/i.test(type)) {
		throw detail(415, `Unsupported media type "${type}" in request.`);
	}
	if (!isJsonObject(request.body)) throw detail(400, 'JSON parse error: an object is expected.');
	for (const name of Object.keys(request.body)) {
		if (!known.includes(name)) throw fieldError(name, 'Unknown field.');
	}
	return request.body;
}

function verdictField(body: Record<string, unknown>, name: string): VerdictCode {
	const value = body[name];
	if (value === undefined) throw fieldError(name, 'This field is required.');
	if (isVerdictCode(value)) return value;
	throw fieldError(
		name,
		`${JSON.stringify(value)} is not a valid choice: ${verdictCodes.join(', ')}.`,
	);
}

function textField(body: Record<string, unknown>, name: string): string | null {
	const value = body[name] ?? null;
	if (value !== null && typeof value !== 'string') throw fieldError(name, 'Not a valid string.');
	return value;
}
