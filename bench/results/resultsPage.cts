import { markdownTable } from '../../scripts/measurements/markdownTable.cts';
import type { Records } from '../../scripts/measurements/records.cts';
import type { Finding } from './finding.cts';

/** What one measurement found, as it is kept from run to run. */
export interface Results {
	what: string;
	against: string;
	goal: string;
	findings: Finding[];
	details?: string;
	/** Versions of n8n and of its Node. */
	n8n: string;
	node: string;
}

export function findingsTable(findings: readonly Finding[]): string {
	const rows = findings.map(({ subject, figure, goal = '', met }) => {
		return [subject, figure, goal, met === undefined ? '' : met ? 'yes' : '**no**'];
	});
	return markdownTable(['', 'Measured', 'Goal', 'Met'], rows);
}

/** Goals that were not met, in sentences. */
export function missesOf({ what, findings }: Pick<Results, 'what' | 'findings'>): string[] {
	return findings
		.filter(({ met }) => met === false)
		.map(({ subject, figure, goal }) => `${what}: ${subject}: ${figure}; the goal is ${goal}.`);
}

/** Each measurement with its goals, how many of them are met, and when and where that was measured. */
function overview(names: readonly string[], records: Records<Results>): string {
	const rows = names.map((name) => {
		const { date, machine, figures } = records[name];
		const judged = figures.findings.filter(({ met }) => met !== undefined);
		const met = judged.filter((finding) => finding.met);
		const all = met.length === judged.length ? 'all' : `**${met.length} of ${judged.length}**`;
		return [`[${figures.what}](#${anchorOf(figures.what)})`, figures.goal, all, date, machine];
	});
	return markdownTable(['Measurement', 'Goal', 'Goals met', 'Measured', 'On'], rows);
}

/** Where a heading is found on its page. */
function anchorOf(heading: string): string {
	const words = heading.toLowerCase().replace(/[^a-z0-9 -]/g, '');
	return words.replaceAll(' ', '-');
}

/** The page of results; it is written by `npm run bench` and not by hand. */
export function resultsPage(order: readonly string[], records: Records<Results>): string {
	const known = order.filter((name) => records[name]);
	const all = known.map((name) => ({ name, ...records[name].figures }));
	const versions = new Set(all.map(({ n8n, node }) => `n8n ${n8n} on Node ${node}`));
	const misses = all.flatMap(missesOf);
	const missed =
		misses.length === 0
			? 'Every goal is met.'
			: `Not met:\n\n${misses.map((miss) => `- ${miss}`).join('\n')}`;
	const sections = all.map(({ name, what, against, goal, findings, details }) => {
		const held = against === '' ? '' : ` Against: ${against}.`;
		return [
			`## ${what}`,
			`\`npm run bench -- --only ${name}\`.${held} Goal: ${goal}.`,
			findingsTable(findings),
			...(details ? [details] : []),
		].join('\n\n');
	});
	return `# Measured side by side

Written by \`npm run bench\`; the figures are in RESULTS.json. What was measured in another way is marked "by hand". Those who are compared
do the same work in turns within one run, since a machine is not equally fast from one minute to the next. A
ratio is the middle one of the rounds, its spread in brackets. Where the goal is "at least", more is faster;
where it is "at most", less is.

In the real n8n unless told otherwise: ${[...versions].join(', ')}, with version 4.2 of its HTTP Request node.

${overview(known, records)}

${missed}

${sections.join('\n\n')}
`;
}
