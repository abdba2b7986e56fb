import { axis, label, polyline, svgImage, type Point } from '../chart/svgImage.cts';
import type { LogCost, StraightLine } from './straightLine.cts';

const WIDTH = 720;
const HEIGHT = 340;
const PLOT = { left: 70, right: 672, top: 40, bottom: 290 };

const STYLE = `
.line { fill: none; stroke: #8c959f; stroke-width: 1; stroke-dasharray: 4 3; }
.measured { fill: #0969da; }
`;

/** The cost as the log grows, both axes logarithmic, so that every size can be seen. */
export function costChart(costs: readonly LogCost[], line: StraightLine): string {
	const x = scale(
		costs.map(({ entries }) => entries),
		PLOT.left,
		PLOT.right,
	);
	const y = scale(
		costs.map(({ milliseconds }) => milliseconds),
		PLOT.bottom,
		PLOT.top,
	);
	const at = ({ entries, milliseconds }: LogCost): Point => ({
		x: x.place(entries),
		y: y.place(milliseconds),
	});
	const onLine = steps(costs).map((entries) =>
		at({ entries, milliseconds: line.fixed + entries * line.perEntry }),
	);
	const corner = { x: PLOT.left, y: PLOT.bottom };
	const title = 'Time to drain a log, by the number of its entries';
	return svgImage({ title, width: WIDTH, height: HEIGHT, style: STYLE }, [
		label(
			{ x: PLOT.left, y: 20 },
			`${title}; both axes logarithmic; dashed: a fixed part and a straight line`,
			'start',
		),
		axis(corner, { x: PLOT.right, y: PLOT.bottom }),
		axis(corner, { x: PLOT.left, y: PLOT.top }),
		...x.decades.map((entries) =>
			label(
				{ x: x.place(entries), y: PLOT.bottom + 20 },
				entries.toLocaleString('en-US'),
				'middle',
			),
		),
		...y.decades.map((milliseconds) =>
			label(
				{ x: PLOT.left - 6, y: y.place(milliseconds) + 4 },
				`${(milliseconds / 1000).toLocaleString('en-US')} s`,
				'end',
			),
		),
		label({ x: (PLOT.left + PLOT.right) / 2, y: PLOT.bottom + 40 }, 'entries', 'middle'),
		polyline('line', onLine),
		...costs.map((cost) => {
			const { x: cx, y: cy } = at(cost);
			return `<circle class="measured" cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="4"/>`;
		}),
	]);
}

/** From the decade below the smallest value to the one above the largest. */
function scale(values: readonly number[], from: number, to: number) {
	const first = Math.floor(Math.log10(Math.min(...values)));
	const last = Math.ceil(Math.log10(Math.max(...values)));
	return {
		place: (value: number): number =>
			from + ((to - from) * (Math.log10(value) - first)) / Math.max(1, last - first),
		decades: Array.from({ length: last - first + 1 }, (_, step) => 10 ** (first + step)),
	};
}

/** Sizes from the smallest log to the largest, close enough for a curve to look like one. */
function steps(costs: readonly LogCost[]): number[] {
	const sizes = costs.map(({ entries }) => entries);
	const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
	return Array.from({ length: 61 }, (_, step) => least * (most / least) ** (step / 60));
}
