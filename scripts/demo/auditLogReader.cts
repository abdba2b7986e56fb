import axios from 'axios';
import { defaultConsoleHeaders } from '../../sandbox/fixtures/accounts.cts';

const PAGE_SIZE = 1_000;

/** An audit log entry as the sandbox makes them. */
export interface SandboxEntry {
	auditlogId: string;
	createdAt: string;
}

/** Reads the sandbox's audit log from a time on, oldest first, as any client of the console would. */
export async function readAuditLog(consoleUrl: string, since: Date): Promise<SandboxEntry[]> {
	const entries: SandboxEntry[] = [];
	let pageToken: string | undefined;
	do {
		const { data } = await axios.get<{ items: SandboxEntry[]; nextPageToken: string | null }>(
			`${consoleUrl}/api/admin-audit-log-entries`,
			{
				params: { since: since.toISOString(), limit: PAGE_SIZE, pageToken },
				headers: defaultConsoleHeaders,
				proxy: false,
			},
		);
		entries.push(...data.items);
		pageToken = data.items.length > 0 ? (data.nextPageToken ?? undefined) : undefined;
	} while (pageToken);
	return entries;
}
