import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reportArrivals } from './demo/arrivals.cts';
import { checkDemo } from './demo/checkDemo.cts';
import { activateAuditLog, startDemo } from './demo/startDemo.cts';
import { Teardown } from './demo/teardown.cts';
import { welcome } from './demo/welcome.cts';
import { requirePort } from './n8n/freePort.cts';
import { repositoryRoot } from './repositoryRoot.cts';
import { untilDone } from './untilDone.cts';

const USAGE = `npm start -- [options]
  --check        run the examples in a real n8n without a browser, compare, and end
  --fresh        forget what earlier starts left in .n8n-demo/
  --port NUMBER  n8n's port (default 5680); the sandbox takes the two after it`;

const DEFAULT_PORT = 5680;
/** Of the sandbox's audit log: enough to see something arrive at every poll. */
const ENTRIES_PER_MINUTE = 30;

const say = (line: string): void => console.log(line);

/** `npm start`: the demo until Ctrl-C, or the check. Returns the exit code. */
export async function run(args: string[]): Promise<number> {
	let options;
	try {
		options = parseOptions(args);
	} catch (error) {
		console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
		return 1;
	}
	if (options.help) {
		say(USAGE);
		return 0;
	}
	const teardown = new Teardown();
	const { check, fresh, port } = options;
	const work = check ? runCheck(teardown) : runDemo(teardown, Number(port), fresh);
	return await untilDone(work, teardown, say);
}

function parseOptions(args: string[]) {
	const { values } = parseArgs({
		args,
		options: {
			check: { type: 'boolean', default: false },
			fresh: { type: 'boolean', default: false },
			port: { type: 'string', default: String(DEFAULT_PORT) },
			help: { type: 'boolean', default: false },
		},
	});
	const port = Number(values.port);
	if (!Number.isInteger(port) || port < 1 || port > 65_533) {
		throw new Error(`'${values.port}' is not a port.`);
	}
	return values;
}

async function runDemo(teardown: Teardown, port: number, fresh: boolean): Promise<number> {
	const userFolder = join(repositoryRoot, '.n8n-demo');
	if (fresh) await rm(userFolder, { recursive: true, force: true });
	// Fixed ports, so that the trigger's state, which names its console, lasts over restarts.
	const [n8nPort, scanPort, consolePort] = [port, port + 1, port + 2];
	await requirePort(n8nPort, 'n8n', '--port');
	await requirePort(scanPort, "the sandbox's scanning service", '--port');
	await requirePort(consolePort, "the sandbox's console", '--port');
	const demo = await startDemo({
		userFolder,
		port,
		sandbox: {
			ports: { us: scanPort, console: consolePort },
			settings: { console: { ratePerMinute: ENTRIES_PER_MINUTE } },
		},
		say,
		teardown,
	});
	await activateAuditLog(demo);
	say(welcome(demo, ENTRIES_PER_MINUTE));
	return await reportArrivals(demo, say);
}

async function runCheck(teardown: Teardown): Promise<number> {
	const userFolder = await mkdtemp(join(tmpdir(), 'content-scan-check-'));
	teardown.add(() => rm(userFolder, { recursive: true, force: true }));
	const settings = { console: { ratePerMinute: ENTRIES_PER_MINUTE } };
	const demo = await startDemo({ userFolder, sandbox: { settings }, say, teardown });
	const { passed, failed } = await checkDemo(demo, say);
	if (failed > 0) console.error(`\nThe end of n8n's log:\n${await demo.n8n.logTail()}`);
	say(`\n${passed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
}
