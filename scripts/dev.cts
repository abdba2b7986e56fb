import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { demoPorts } from './demo/ports.cts';
import { demoSignIn, importExamples, startBesideSandbox } from './demo/startDemo.cts';
import type { Teardown } from './demo/teardown.cts';
import { customWorkflow } from './development/customWorkflow.cts';
import { ExtensionFolder } from './development/extensionFolder.cts';
import { watchSources } from './development/watchSources.cts';
import { interruptible } from './interruptible.cts';
import { cacheFolder } from './n8n/cacheFolder.cts';
import { provideHost } from './n8n/host.cts';
import { buildPackage } from './package/build.cts';
import { withProgress } from './progress.cts';
import { repositoryRoot } from './repositoryRoot.cts';

const USAGE = `npm run dev -- [options]
  --port NUMBER  n8n's port (default 5690); the sandbox takes the two after it`;

const say = (line: string): void => console.log(line);

/** `npm run dev`: a real n8n that takes over each change of the sources, until Ctrl-C. */
export async function run(args: string[]): Promise<number> {
	let port: string;
	try {
		const options = { port: { type: 'string', default: '5690' } } as const;
		({ port } = parseArgs({ args, options }).values);
	} catch (error) {
		console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
		return 1;
	}
	return await interruptible((teardown) => develop(port, teardown));
}

async function develop(port: string, teardown: Teardown): Promise<never> {
	const ports = await demoPorts(port);
	const host = await provideHost(cacheFolder(), say);
	await withProgress(say, 'Building the package', buildPackage);
	const extensions = await ExtensionFolder.create();
	teardown.add(() => extensions.remove());
	await extensions.takeOver();
	const running = await startBesideSandbox(
		host,
		{ userFolder: join(repositoryRoot, '.n8n-dev'), ports, say, teardown },
		{ N8N_CUSTOM_EXTENSIONS: extensions.path, N8N_DEV_RELOAD: 'true' },
	);
	await importExamples(running, customWorkflow);

	const { n8n, sandbox } = running;
	const unwatch = watchSources(say, async () => {
		await extensions.takeOver();
		await n8n.session.call('POST', '/dev/reload');
		say('Rebuilt, and loaded by n8n. Reload the page in the browser to see new fields.');
	});
	teardown.add(async () => unwatch());
	say(`
n8n        ${n8n.url}
sign in    ${demoSignIn.email} / ${demoSignIn.password}
scanning   ${sandbox.addresses.us} (sandbox)
console    ${sandbox.addresses.console} (sandbox)

The package's sources and icons are watched: a change is built, and n8n loads it. Ctrl-C ends everything.
`);
	return await new Promise<never>(() => {});
}
