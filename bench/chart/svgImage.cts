/** A point of a drawing, in its own units, from the upper left corner. */
export interface Point {
	x: number;
	y: number;
}

/** What text and axes look like, so that they can be read on a light and on a dark page. */
const STYLE = `
text { font: 12px sans-serif; fill: #57606a; }
.axis { stroke: #8c959f; stroke-width: 1; }
@media (prefers-color-scheme: dark) { text { fill: #9198a1; } }
`;

interface Image {
	title: string;
	width: number;
	height: number;
	/** CSS for the classes of the parts, beyond text and `axis`. */
	style: string;
}

/** An SVG image of these parts. */
export function svgImage({ title, width, height, style }: Image, parts: readonly string[]): string {
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
		`<title>${title}</title>`,
		`<style>${STYLE}${style}</style>`,
		...parts,
		'</svg>',
		'',
	].join('\n');
}

export function polyline(className: string, points: readonly Point[]): string {
	const path = points.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ');
	return `<polyline class="${className}" points="${path}"/>`;
}

export function axis(from: Point, to: Point): string {
	return `<line class="axis" x1="${round(from.x)}" y1="${round(from.y)}" x2="${round(to.x)}" y2="${round(to.y)}"/>`;
}

export function label({ x, y }: Point, text: string, anchor: 'start' | 'middle' | 'end'): string {
	return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${text}</text>`;
}

/** To a tenth, which is finer than can be seen. */
export function round(number: number): number {
	return Math.round(number * 10) / 10;
}
