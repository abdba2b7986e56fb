import type { KillFigures } from './figures.cts';
import type { KillMode } from './modes.cts';

/** What happened although the mode rules it out. No mode invents entries or lets executions fail. */
export function brokenPromises({ title, forbids }: KillMode, figures: KillFigures): string[] {
	if (figures.when !== 'running') return [];
	const { count } = figures;
	return (['invented', 'failed', ...forbids] as const)
		.filter((what) => count[what] > 0)
		.map((what) => `${title}: ${count[what]} ${what}, which must not happen.`);
}
