import type { KillFigures } from './figures.cts';
import type { KillMode } from './modes.cts';

/**
 * What happened although it must not. No mode invents entries or lets executions fail; and where only
 * workers die, n8n's main process forgets nothing.
 */
export function brokenPromises({ title, forbids }: KillMode, figures: KillFigures): string[] {
	const broken = (counts: Record<string, number>) =>
		Object.entries(counts)
			.filter(([, count]) => count > 0)
			.map(([what, count]) => `${title}: ${count} ${what}, which must not happen.`);
	switch (figures.when) {
		case 'activating':
			return [];
		case 'workers': {
			const { lost, twiceAfterItsEnd } = figures.count;
			return broken({ ...(forbids.includes('lost') && { lost }), twiceAfterItsEnd });
		}
		case 'running': {
			const { count } = figures;
			const { invented, failed } = count;
			return broken({
				...{ invented, failed },
				...Object.fromEntries(forbids.map((what) => [what, count[what]])),
			});
		}
	}
}
