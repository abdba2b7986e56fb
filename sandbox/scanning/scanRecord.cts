import type { JsonObject } from '../jsonValue.cts';
import type { Scan } from './scanStore.cts';
import { isFinished, verdictOf } from './scanStore.cts';

/**
 * A scan as the list shows it. The names are those of public material; many are often null there,
 * and so they are here. While it runs, `status` is `RUN`, and there is no verdict and no end;
 * the words after that were seen nowhere, so `status` is null then.
 */
export function scanRecord(scan: Scan, nowMs: number): JsonObject {
	const finished = isFinished(scan, nowMs);
	const verdict = verdictOf(scan, nowMs);
	const finishedAt = finished && scan.finishesAtMs !== null ? scan.finishesAtMs : null;
	return {
		id: scan.recordId,
		full_scan_id: scan.fullScanId,
		root_scan_id: scan.rootScanId,
		organization_id: scan.organizationId,
		origin: scan.origin,
		type: scan.type,
		status: finished ? null : 'RUN',
		created_at: new Date(scan.createdAtMs).toISOString(),
		finished_at: finishedAt === null ? null : new Date(finishedAt).toISOString(),
		timestamp: Math.floor(scan.createdAtMs / 1000),
		verbose_verdict: finished ? verdict : null,
		confidence: finished ? (verdict === 'CLN' ? 0 : 100) : null,
		names: [scan.name],
		path: scan.path,
		evidence: finished ? evidenceOf(scan) : [],
		root_scan_summary: null,
		handle_status: scan.handleStatus,
		quarantine_state: scan.quarantine === 'none' ? null : scan.quarantine,
		verdict_reason: scan.verdictReason,
		campaign: null,
		sample: {
			sha256: scan.sha256,
			md5: null,
			file_size: scan.fileSize,
			from_address: scan.email?.fromAddress ?? null,
			subject: scan.email?.subject ?? null,
			original_message_id: scan.email?.originalMessageId ?? null,
			to_addresses: null,
		},
	};
}

/** What speaks for the verdict; empty for a clean scan. The words are the sandbox's own. */
export function evidenceOf(scan: Scan): string[] {
	return scan.verdict === 'CLN' ? [] : [`Sandbox rule for ${scan.type.toLowerCase()}s`];
}
