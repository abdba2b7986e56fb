import { Gaps } from '../../../../nodes/ContentScan/trigger/reading/gaps';
import type { RememberedScan } from '../../../../nodes/ContentScan/trigger/reading/rememberedScans';
import { PENDING } from '../../../../nodes/ContentScan/trigger/reading/rememberedScans';
import { watchedWindow } from '../../../../nodes/ContentScan/trigger/reading/watchedWindows';

const NOW = 1_800_000_000;
const HOUR = 3600;

const pending = (from: number, checked: number): RememberedScan => ({
	from,
	to: from,
	checked,
	mark: PENDING,
});

/** Looks at the window that is due, as often as told, and notes which scans it shows. */
function looks(watched: RememberedScan[], times: number, clock: number): Set<number> {
	const seen = new Set<number>();
	let scans = watched;
	for (let look = 1; look <= times; look++) {
		const window = watchedWindow(
			{ watched: scans, gaps: new Gaps([], 24 * HOUR), span: 60 },
			clock,
			24 * HOUR,
		);
		if (!window) break;
		scans = scans.map((scan) => {
			if (scan.from < window.start || scan.to >= window.end) return scan;
			seen.add(scan.from);
			return { ...scan, checked: NOW + look };
		});
	}
	return seen;
}

it.each([0, -6 * HOUR])(
	"each scan has its turn, also where n8n's clock is hours behind the service's (%d s)",
	(behind) => {
		const watched = [1, 2, 3, 4].map((number) => pending(NOW - number * HOUR, NOW - HOUR));
		expect(looks(watched, 4, NOW + behind).size).toBe(4);
	},
);
