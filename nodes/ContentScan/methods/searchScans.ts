import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import type { Clock } from '../../../transport/clock';
import { systemClock } from '../../../transport/clock';
import type { ScanService } from '../../../services/scanning/scanService';
import { connectScanService } from '../../../services/scanning/scanService';
import { listed, mayBeInQuarantine } from './listedScan';
import { openList } from './openLists';
import type { ListPage } from './recentScans';
import { readPage } from './recentScans';

interface ScanSearch {
	/** What the user typed: part of a time, name, subject, sender, verdict or ID, in any case. */
	filter?: string;
	/** The page after the first, as the page before named it. */
	paginationToken?: string;
	/** Only what may be in quarantine. */
	quarantine?: boolean;
}

export async function searchScans(
	context: ILoadOptionsFunctions,
	search: ScanSearch,
): Promise<INodeListSearchResult> {
	return await listedScans(await connectScanService(context), systemClock, search);
}

export async function listedScans(
	scans: ScanService,
	clock: Clock,
	{ filter = '', paginationToken, quarantine = false }: ScanSearch,
): Promise<INodeListSearchResult> {
	const now = clock.monotonic();
	const wanted = filter.trim().toLowerCase();
	const key = [scans.tokenKey, scans.call('listScans', {}).path, quarantine].join(' ');
	// Opened anew, it shows what is new; a search goes on with what was loaded.
	const isOpened = wanted === '' && paginationToken === undefined;
	const list = openList(key, now, (known) => !isOpened || known.current(now) !== undefined);
	// Records may hold megabytes that the list does not show.
	const read = async (): Promise<ListPage<INodeListSearchItems>> => {
		const isWanted = quarantine ? mayBeInQuarantine : () => true;
		const { scans: records, next } = await readPage(scans, clock, isWanted, paginationToken);
		return { scans: records.map(listed).filter((scan) => scan !== undefined), next };
	};
	const page = await list.page(paginationToken, now, read);
	if (wanted === '') return { results: page.scans, paginationToken: page.next };
	const searched = paginationToken === undefined ? [page, ...(await list.pages())] : [page];
	const byId = new Map(searched.flatMap((one) => one.scans.map((scan) => [scan.value, scan])));
	const results = [...byId.values()].filter(({ name, value }) =>
		`${name} ${value}`.toLowerCase().includes(wanted),
	);
	return { results, paginationToken: searched.at(-1)!.next };
}
