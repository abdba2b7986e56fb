import { listedScans } from '../../../../nodes/ContentScan/methods/searchScans';
import { FakeClock } from '../../../support/fakeClock.cts';
import type { Sent } from './fakeService';
import { FakeService, scanService } from './fakeService';
import { NOW } from './timedList';

/** The list of scans in the editor, of a service that answers so. */
export function editorList(reply: (sent: Sent) => unknown, clock = new FakeClock({ start: NOW })) {
	const service = new FakeService(reply);
	const scans = scanService(service);
	return {
		...{ service, clock, scans },
		search: async (search = {}) => await listedScans(scans, clock, search),
	};
}

/** All pages as the editor asks for them, and the calls that each took. */
export async function allPages(
	{ search, service }: ReturnType<typeof editorList>,
	most = Infinity,
) {
	const pages: string[][] = [];
	const calls: number[] = [];
	let paginationToken: string | undefined;
	do {
		const before = service.sent.length;
		const page = await search({ paginationToken });
		pages.push(page.results.map(({ value }) => String(value)));
		calls.push(service.sent.length - before);
		({ paginationToken } = page);
	} while (paginationToken !== undefined && pages.length < most);
	return { pages, calls };
}
