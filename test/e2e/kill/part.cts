import { Teardown } from '../../../scripts/demo/teardown.cts';
import type { Part, PartContext } from '../part.cts';
import { brokenPromises } from './brokenPromises.cts';
import { counted } from './figures.cts';
import { killWhileRunning } from './killWhileRunning.cts';
import { killMode, type KillMode, type KillModeName } from './modes.cts';

/** Those that promise something. */
const MODES: readonly KillModeName[] = ['default-finished', 'durable', 'durable-finished'];
const KILLS = 3;
const SEED = 1;
const ENTRIES_PER_MINUTE = 120;

/** `npm run test:kill` in short: a few kills in each mode. */
export const killPart: Part = {
	name: 'kill',
	title: `n8n killed ${KILLS} times in each of ${MODES.length} modes: what the trigger loses or brings twice`,
	run: async (context) => {
		for (const mode of MODES.map(killMode)) {
			await context.check(mode.title, () => killIn(mode, context));
		}
	},
};

async function killIn(mode: KillMode, context: PartContext): Promise<string> {
	// Of this mode only, so that no two n8n run at a time.
	const ofMode = new Teardown();
	context.teardown.add(() => ofMode.run());
	const count = await killWhileRunning({
		...context,
		mode,
		kills: KILLS,
		seed: SEED,
		entriesPerMinute: ENTRIES_PER_MINUTE,
		teardown: ofMode,
	});
	await ofMode.run();
	const figures = {
		when: 'running' as const,
		mode: mode.title,
		kills: KILLS,
		count: counted(count),
	};
	const broken = brokenPromises(mode, figures);
	if (broken.length > 0) throw new Error(broken.join('\n'));
	const { produced, lost, twice, twiceAfterItsEnd } = figures.count;
	return `${produced} entries, ${lost} lost, ${twice} twice, ${twiceAfterItsEnd} of them after their end`;
}
