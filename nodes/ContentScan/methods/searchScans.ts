import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { Clock } from '../../../transport/clock';
import { systemClock } from '../../../transport/clock';
import type { ScanService } from '../../../services/scanning/scanService';
import { connectScanService } from '../../../services/scanning/scanService';
import type { ListedScan } from './listedScan';
import { listedOf, mayBeInQuarantine } from './listedScan';
import type { Page } from './openLists';
import { openList } from './openLists';
import { ENOUGH, readPage } from './listPages';

/** Pages that are read besides, where none of the list's scans is to be shown: an empty list cannot be scrolled. */
const MOST_BESIDES = 2;

interface ScanSearch {
	/** What the user typed: parts of a time, name, subject, address, verdict or ID, in any case. */
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
	const wanted = filter.toLowerCase().split(/\s+/).filter(Boolean);
	const key = [scans.tokenKey, scans.call('listScans', {}).path, quarantine].join(' ');
	const list = openList(key, now);
	const isWanted = quarantine ? mayBeInQuarantine : () => true;
	const load = async (token: string | undefined, enough: number) =>
		await list.page(token, now, async () => {
			const { scans: records, next } = await readPage(scans, clock, { isWanted, enough }, token);
			// Records may hold megabytes that the list does not show.
			return { scans: listedOf(records), next };
		});
	const isSearch = wanted.length > 0 && paginationToken === undefined;
	const first = await load(paginationToken, ENOUGH).catch(async (error: unknown) => {
		// What was loaded before can be searched all the same.
		const [newest] = isSearch ? await list.pages() : [];
		return newest ?? (await Promise.reject(error));
	});
	const loaded = isSearch ? [first, ...(await list.pages())] : [first];
	let results = matching(loaded, wanted);
	let { next } = loaded.at(-1)!;
	for (let besides = 0; besides < MOST_BESIDES && results.length === 0; besides++) {
		// Between the newest, if they were read anew, and what was loaded before there may be others.
		const token = isSearch && list.lacks(first.next) ? first.next : next;
		if (token === undefined) break;
		const page = await load(token, Infinity);
		results = matching([page], wanted);
		if (token === next) ({ next } = page);
	}
	return { results: results.map(({ name, value }) => ({ name, value })), paginationToken: next };
}

/**
 * Each scan once, as it was read last: that page comes first. The user sees why a scan was found where its name
 * has what was typed: such scans stand before the others.
 */
function matching(pages: Page[], wanted: string[]): ListedScan[] {
	const byId = new Map<unknown, ListedScan>();
	for (const scan of pages.flatMap(({ scans }) => scans)) {
		if (!byId.has(scan.value)) byId.set(scan.value, scan);
	}
	const byRank: ListedScan[][] = [[], [], []];
	for (const scan of byId.values()) {
		const name = scan.name.toLowerCase();
		const hidden = `${scan.value} ${scan.more}`.toLowerCase();
		const isShown = (part: string) => name.includes(part);
		if (isShown(wanted.join(' '))) byRank[0].push(scan);
		else if (wanted.every(isShown)) byRank[1].push(scan);
		else if (wanted.every((part) => isShown(part) || isHiddenIn(hidden, part)))
			byRank[2].push(scan);
	}
	return byRank.flat();
}

/** In the middle of an ID, a number would be found that nobody means. */
function isHiddenIn(text: string, part: string): boolean {
	return /^\d+$/.test(part) ? new RegExp(`(?<![a-z\\d])${part}`).test(text) : text.includes(part);
}
