import { axis, label, polyline, round, svgImage } from '../chart/svgImage.cts';
import type { MemorySample } from './memoryCurve.cts';
import type { Phase, UploadRun } from './measureUpload.cts';

const MIB = 1024 * 1024;
const WIDTH = 720;
const PANEL = { height: 150, plot: 96, left: 52, right: 12, top: 30 };

const STYLE = `
.reading { fill: #8c959f; fill-opacity: 0.18; }
.uploading { fill: #0969da; fill-opacity: 0.16; }
.resident { fill: none; stroke: #0969da; stroke-width: 1.5; }
.buffers { fill: none; stroke: #bc4c00; stroke-width: 1; }
`;

/** The memory of n8n's process over time, one panel for each upload, as an SVG image. */
export function memoryChart(uploads: ReadonlyArray<{ title: string; run: UploadRun }>): string {
	const height = PANEL.height * uploads.length + 34;
	const panels = uploads.map(({ title, run }, index) => panel(title, run, index * PANEL.height));
	const title = "Memory of n8n's process while files are read and uploaded";
	const image = { title, width: WIDTH, height, style: STYLE };
	return svgImage(image, [...panels, legend(height - 14)]);
}

function panel(title: string, run: UploadRun, top: number): string {
	const { reading, uploading, residentSet, buffers, idle } = run;
	const start = residentSet[0].atMs;
	const seconds = (residentSet[residentSet.length - 1].atMs - start) / 1000;
	const resident = residentSet.map(({ atMs, bytes }) => ({ atMs, bytes: bytes - idle }));
	const all = [...resident, ...buffers].map(({ bytes }) => bytes / MIB);
	const low = Math.min(0, ...all);
	const high = Math.max(32, ...all);
	const x = (atMs: number): number => {
		const part = (atMs - start) / 1000 / seconds;
		return round(PANEL.left + part * (WIDTH - PANEL.left - PANEL.right));
	};
	const y = (mib: number): number =>
		round(top + PANEL.top + PANEL.plot * (1 - (mib - low) / (high - low)));
	const band = (name: string, { from, to }: Phase): string =>
		`<rect class="${name}" x="${x(from)}" y="${y(high)}" width="${round(Math.max(1, x(to) - x(from)))}" height="${PANEL.plot}"/>`;
	const line = (name: string, samples: readonly MemorySample[]): string => {
		return polyline(
			name,
			samples.map(({ atMs, bytes }) => ({ x: x(atMs), y: y(bytes / MIB) })),
		);
	};
	const scale = (mib: number): string =>
		label({ x: PANEL.left - 6, y: y(mib) + 4 }, String(Math.round(mib)), 'end');
	return [
		label(
			{ x: PANEL.left, y: top + 18 },
			`${title} (MB above idle; ${Math.round(seconds)} s)`,
			'start',
		),
		band('reading', reading),
		band('uploading', uploading),
		axis({ x: PANEL.left, y: y(0) }, { x: WIDTH - PANEL.right, y: y(0) }),
		...[0, high].map(scale),
		line('buffers', buffers),
		line('resident', resident),
	].join('\n');
}

function legend(y: number): string {
	const entries = [
		['reading', 'file into storage'],
		['uploading', 'uploading'],
	].map(
		([name, text], index) =>
			`<rect class="${name}" x="${PANEL.left + 130 * index}" y="${y - 10}" width="14" height="12"/>` +
			`<text x="${PANEL.left + 20 + 130 * index}" y="${y}">${text}</text>`,
	);
	const lines = [
		['resident', 'resident set'],
		['buffers', 'buffers, garbage included'],
	].map(
		([name, text], index) =>
			`<line class="${name}" x1="${PANEL.left + 260 + 120 * index}" y1="${y - 4}" x2="${PANEL.left + 276 + 120 * index}" y2="${y - 4}"/>` +
			`<text x="${PANEL.left + 282 + 120 * index}" y="${y}">${text}</text>`,
	);
	return [...entries, ...lines].join('\n');
}
