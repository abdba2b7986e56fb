import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError } from '../actionableError.cts';
import { failureOf, outputOf, readExecution, recentExecutions } from '../n8n/executions.cts';
import type { Execution } from '../n8n/executions.cts';
import type { Say } from '../progress.cts';
import { exampleNodes } from './exampleWorkflows.cts';
import type { Demo } from './startDemo.cts';

const LOOK_EVERY_MS = 3_000;

/** A busy n8n may not answer for a while. */
const GONE_AFTER_MS = 60_000;

/** Says, for as long as it is let, what each execution of the examples brings that ends in this run. */
export async function reportArrivals(demo: Demo, say: Say): Promise<never> {
	const { n8n, workflows } = demo;
	const begun = Date.now() - process.uptime() * 1000;
	const seen = new Set<string>();
	let answeredAt = Date.now();
	for (;;) {
		try {
			for (const workflow of Object.values(workflows)) {
				for (const { id, stoppedAt } of await recentExecutions(n8n.session, workflow.id)) {
					if (!stoppedAt || Date.parse(stoppedAt) < begun || seen.has(id)) continue;
					const execution = await readExecution(n8n.session, id);
					seen.add(id);
					const time = new Date(stoppedAt).toLocaleTimeString('en-GB');
					say(`${time}  ${workflow.name} (execution ${id}): ${whatArrived(execution)}`);
				}
			}
			answeredAt = Date.now();
		} catch (error) {
			if (Date.now() > answeredAt + GONE_AFTER_MS) {
				throw new ActionableError(
					`n8n has not answered for a minute. ${(error as Error).message}`,
					`See the end of ${n8n.logFile}, and start the demo again.`,
				);
			}
		}
		await sleep(LOOK_EVERY_MS);
	}
}

function whatArrived(execution: Execution): string {
	const failure = failureOf(execution);
	if (failure) return `ended with an error. ${failure}`;
	const entries = outputOf(execution, exampleNodes.trigger);
	if (entries.length > 0) {
		const newest = entries.at(-1)?.json.createdAt;
		return `${entries.length} new audit log ${entries.length === 1 ? 'entry' : 'entries'}, the newest of ${newest}`;
	}
	const verdicts = [exampleNodes.scanFile, exampleNodes.scanUrl].flatMap((node) =>
		outputOf(execution, node).map(({ json }) => `${node}: ${json.verdict ?? json.status}`),
	);
	return verdicts.length > 0 ? verdicts.join(', ') : 'nothing';
}
