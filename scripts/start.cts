import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reportArrivals } from './demo/arrivals.cts';
import { checkDemo } from './demo/checkDemo.cts';
import { demoPorts } from './demo/ports.cts';
import { activateAuditLog, startDemo } from './demo/startDemo.cts';
import type { Teardown } from './demo/teardown.cts';
import { welcome } from './demo/welcome.cts';
import { interruptible } from './interruptible.cts';
import { repositoryRoot } from './repositoryRoot.cts';

const USAGE = `npm start -- [options]
  --check        run the examples in a real n8n without a browser, compare, and end
  --fresh        forget what earlier starts left in .n8n-demo/
  --port NUMBER  n8n's port (default 5680); the sandbox takes the two after it`;

const say = (line: string): void => console.log(line);

/** `npm start`: the demo until Ctrl-C, or the check. The process ends with its code. */
export async function run(args: string[]): Promise<number> {
	const options = parseOptions(args);
	if (typeof options === 'string') {
		console.error(options);
		return 1;
	}
	const { check, fresh, port } = options;
	return await interruptible((teardown) =>
		check ? runCheck(teardown) : runDemo(teardown, port, fresh),
	);
}

/** @returns what to tell a user whose options do not exist, or who asks for them */
function parseOptions(args: string[]) {
	try {
		const { values } = parseArgs({
			args,
			options: {
				check: { type: 'boolean', default: false },
				fresh: { type: 'boolean', default: false },
				port: { type: 'string', default: '5680' },
				help: { type: 'boolean', default: false },
			},
		});
		return values.help ? USAGE : values;
	} catch (error) {
		return `${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`;
	}
}

async function runDemo(teardown: Teardown, port: string, fresh: boolean): Promise<number> {
	const ports = await demoPorts(port);
	const userFolder = join(repositoryRoot, '.n8n-demo');
	if (fresh) await rm(userFolder, { recursive: true, force: true });
	const demo = await startDemo({ userFolder, ports, say, teardown });
	await activateAuditLog(demo);
	say(welcome(demo));
	return await reportArrivals(demo, say);
}

async function runCheck(teardown: Teardown): Promise<number> {
	const userFolder = await mkdtemp(join(tmpdir(), 'content-scan-check-'));
	teardown.add(() => rm(userFolder, { recursive: true, force: true }));
	const demo = await startDemo({ userFolder, say, teardown });
	const { passed, failed } = await checkDemo(demo, say);
	if (failed > 0) console.error(`\nThe end of n8n's log:\n${await demo.n8n.logTail()}`);
	say(`\n${passed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
}
