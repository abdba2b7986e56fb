import type { FastifyInstance, FastifyRequest } from 'fastify';
import { detail } from '../wire/refusal.cts';
import { callerOf, reachableScan } from './access.cts';
import { cursorOf, listQuery } from './listQuery.cts';
import type { ScanningParts } from './parts.cts';
import { scanRecord } from './scanRecord.cts';
import type { Scan } from './scanStore.cts';

const listPath = '/api/v1/scans/list/';

/** List scans and one scan, as public material describes them. Ascending by creation. */
export function listRoutes(app: FastifyInstance, parts: ScanningParts): void {
	const { clock, settings } = parts;
	app.all(
		listPath,
		{ config: { endpoint: { method: 'GET', needs: 'readScans' } } },
		async (request) => {
			const { defaultListLimit, maxListLimit, listCountLimit } = settings.scanning;
			const query = request.query as Record<string, unknown>;
			const wanted = listQuery(query, { limit: defaultListLimit, maxLimit: maxListLimit });
			const { reach } = callerOf(request);
			requireReach(reach, query.organization_id);
			const now = clock.now();
			parts.arrivals.catchUp(now);
			const all = parts.scans
				.all()
				.filter(
					(scan) =>
						(scan.listedAtMs ?? 0) <= now &&
						reach.has(scan.organizationId) &&
						wanted.matches(scan, now),
				);
			if (listCountLimit !== null && all.length > listCountLimit) {
				throw detail(500, 'The result window is too large.');
			}
			const rest = all.filter((scan) => scan.sequence > wanted.afterSequence);
			const page = rest.slice(0, wanted.limit);
			const hasMore = rest.length > page.length;
			return {
				count: all.length,
				page_result_count: page.length,
				next: hasMore ? nextAddress(request, page[page.length - 1]) : null,
				has_more: hasMore,
				results: page.map((scan) => scanRecord(scan, now)),
			};
		},
	);
	app.all<{ Params: { id: string } }>(
		`${listPath}:id/`,
		{ config: { endpoint: { method: 'GET', needs: 'readScans' } } },
		async (request) => {
			const { id } = request.params;
			const anyId = settings.scanning.getScanBy === 'anyId';
			const found = anyId ? parts.scans.byId(id) : parts.scans.byFullId(id);
			return scanRecord(reachableScan(parts, request, found, 'readScans'), clock.now());
		},
	);
}

function requireReach(reach: ReadonlySet<string>, organizationId: unknown): void {
	if (organizationId !== undefined && !reach.has(String(organizationId))) {
		throw detail(403, 'The organization is out of reach of this token.');
	}
}

/** A full URL with `_cursor`, to be followed as it is. */
function nextAddress(request: FastifyRequest, last: Scan): string {
	const next = new URL(request.raw.url ?? listPath, `http://${request.host}`);
	next.searchParams.set('_cursor', cursorOf(last));
	return next.href;
}
