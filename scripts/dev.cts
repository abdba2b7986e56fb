import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createSandbox } from '../sandbox/createSandbox.cts';
import { demoCredentials, saveCredentials } from './demo/demoCredentials.cts';
import { allExampleFiles, readExample, withCredentialIds } from './demo/exampleWorkflows.cts';
import { demoSignIn } from './demo/startDemo.cts';
import { Teardown } from './demo/teardown.cts';
import { customWorkflow } from './development/customWorkflow.cts';
import { ExtensionFolder } from './development/extensionFolder.cts';
import { watchSources } from './development/watchSources.cts';
import { cacheFolder } from './n8n/cacheFolder.cts';
import { requirePort } from './n8n/freePort.cts';
import { provideHost } from './n8n/host.cts';
import { N8nInstance } from './n8n/n8nInstance.cts';
import { createWorkflow, findWorkflow } from './n8n/workflows.cts';
import { buildPackage } from './package/build.cts';
import { withProgress } from './progress.cts';
import { repositoryRoot } from './repositoryRoot.cts';
import { untilDone } from './untilDone.cts';

const USAGE = `npm run dev -- [options]
  --port NUMBER  n8n's port (default 5690); the sandbox takes the two after it`;

const DEFAULT_PORT = 5690;
const ENTRIES_PER_MINUTE = 30;

const say = (line: string): void => console.log(line);

/**
 * `npm run dev`: a real n8n that takes over each change of the sources, until Ctrl-C. Returns the exit
 * code.
 */
export async function run(args: string[]): Promise<number> {
	let port: number;
	try {
		const { values } = parseArgs({ args, options: { port: { type: 'string' } } });
		port = Number(values.port ?? DEFAULT_PORT);
	} catch (error) {
		console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
		return 1;
	}
	const teardown = new Teardown();
	return await untilDone(develop(port, teardown), teardown, say);
}

async function develop(port: number, teardown: Teardown): Promise<never> {
	const [n8nPort, scanPort, consolePort] = [port, port + 1, port + 2];
	await requirePort(n8nPort, 'n8n', '--port');
	await requirePort(scanPort, "the sandbox's scanning service", '--port');
	await requirePort(consolePort, "the sandbox's console", '--port');
	const cache = await cacheFolder();
	teardown.add(cache.discard);
	const host = await provideHost(cache.path, say);
	await withProgress(say, 'Building the package', buildPackage);
	const extensions = await ExtensionFolder.create();
	teardown.add(() => extensions.remove());
	await extensions.takeOver();

	const sandbox = createSandbox({
		ports: { us: scanPort, console: consolePort },
		settings: { console: { ratePerMinute: ENTRIES_PER_MINUTE } },
	});
	const { us: scanning, console } = await sandbox.listen();
	teardown.add(() => sandbox.close());
	const n8n = await N8nInstance.create({
		host,
		userFolder: join(repositoryRoot, '.n8n-dev'),
		port,
		settings: { N8N_CUSTOM_EXTENSIONS: extensions.path, N8N_DEV_RELOAD: 'true' },
	});
	teardown.add(() => n8n.stop());
	await withProgress(say, 'Starting n8n', () => n8n.start());
	await n8n.session.signIn(demoSignIn);
	const addresses = { scanning, console, token: sandbox.tokenUrl };
	await importExamples(n8n, await saveCredentials(n8n, demoCredentials(addresses)));

	const unwatch = watchSources(say, async () => {
		await extensions.takeOver();
		await n8n.session.call('POST', '/dev/reload');
		say('Rebuilt, and loaded by n8n. Reload the page in the browser to see new fields.');
	});
	teardown.add(async () => unwatch());
	say(welcome(n8n.url, scanning, console));
	return await new Promise<never>(() => {});
}

const welcome = (n8n: string, scanning: string, console: string): string => `
n8n        ${n8n}
sign in    ${demoSignIn.email} / ${demoSignIn.password}
scanning   ${scanning} (sandbox)
console    ${console} (sandbox)

The package's sources and icons are watched: a change is built, and n8n loads it. Ctrl-C ends everything.
`;

/** What is there from an earlier start is kept as the user made it. */
async function importExamples(n8n: N8nInstance, ids: ReadonlyMap<string, string>): Promise<void> {
	for (const file of await allExampleFiles()) {
		const example = customWorkflow(withCredentialIds(await readExample(file), ids));
		if (!(await findWorkflow(n8n.session, example.name))) {
			await createWorkflow(n8n.session, example);
		}
	}
}
