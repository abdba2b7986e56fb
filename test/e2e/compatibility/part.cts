import { randomUUID } from 'node:crypto';
import manifest from '../../../package.json';
import { failureOf, readExecution, recentExecutions } from '../../../scripts/n8n/executions.cts';
import { waitUntil } from '../../../scripts/waitUntil.cts';
import { submitAsTool, TOOLS_ALLOWED } from '../inN8n/agentTool.cts';
import { testCredential } from '../inN8n/credentialTest.cts';
import { runNode, type NodeSetup, type RunWorkflow } from '../inN8n/runNode.cts';
import { scanOnce } from '../inN8n/scanOnce.cts';
import type { Part, PartContext } from '../part.cts';
import { CommunityPackages } from '../registry/communityPackages.cts';
import { ContinuousTrigger } from '../triggerInN8n/continuousTrigger.cts';
import { startPollingN8n, type PollingN8n } from '../triggerInN8n/pollingN8n.cts';
import { missingFunctions } from './missingFunctions.cts';
import { MIDDLE_N8N, OLDEST_N8N, provideOlderHost, type OlderN8n } from './olderHost.cts';
import { editorCalls } from './olderRest.cts';

const ENTRIES_PER_MINUTE = 120;
const SEED = 1;
const LIMIT = 10;
const FAILS_SOON = { everyMs: 1_000, withinMs: 60_000 };

export const compatibilityParts = [OLDEST_N8N, MIDDLE_N8N].map(partIn);

/** The same package, with nothing built anew, in an older n8n. */
function partIn(older: OlderN8n): Part {
	const { version, place } = older;
	const { activate, run } = editorCalls(version);
	return {
		name: `compatibility-${version}`,
		title: `the package loads and runs in n8n ${version}, ${place}`,
		run: async (context) => {
			const { check, host, cache, say } = context;
			const olderHost = await provideOlderHost(older, host, cache, say);
			const polling = await startPollingN8n({
				...context,
				host: olderHost,
				settings: {
					N8N_RUNNERS_ENABLED: 'true',
					// It refuses to start with names of modules that came later.
					N8N_DISABLED_MODULES: '',
					...TOOLS_ALLOWED,
				},
				entriesPerMinute: ENTRIES_PER_MINUTE,
				seed: SEED,
			});
			const trigger = new ContinuousTrigger(polling);
			await check('It lacks newer functions that the package uses', () =>
				missingFunctions(olderHost),
			);
			await check('It loads the package', () => loaded(polling));
			await check('Credentials are tested', () => testCredentials(polling, context));
			await check('A file and a URL are scanned', () => scanOnce(polling, run));
			await check('A submission that may have been carried out says so', () =>
				cutSubmission(polling, run),
			);
			await check('A failed item leaves by the error output', () => failItem(polling, run));
			await check('An AI agent submits a URL with it', () =>
				submitAsTool(polling, context.teardown, run),
			);
			await check('Entries are listed', () => listEntries(polling, run));
			await check('A token that was refused is renewed', () => renewToken(polling, run));
			await check('The trigger delivers', () => trigger.start(activate));
			await check('The trigger goes on after a restart', () => restart(polling, trigger));
			const waiting = new ContinuousTrigger(polling, { moveOn: 'succeeded' });
			await check('One that waits for the workflow delivers', () => waiting.start(activate));
			await check('It moves on', async () => `${await waiting.delivers()} more entries`);
			await check('Not an entry lost or twice', async () =>
				[await trigger.compare(), await waiting.compare()].join(' · '),
			);
			await check('A poll that fails says why', () => failingPoll(polling, trigger));
		},
	};
}

async function loaded({ n8n }: PollingN8n): Promise<string> {
	const { nodes, credentials } = await new CommunityPackages(n8n.session).offered(manifest.name);
	const names = new Set(nodes.map((name) => name.replace(/Tool$/, '')));
	if (names.size !== manifest.n8n.nodes.length) {
		throw new Error(`It offers ${[...names].join(', ') || 'no node of it'}.`);
	}
	const { length } = credentials.filter((name) => /^(contentScan|browserConsole)/.test(name));
	if (length === manifest.n8n.credentials.length) return [...names].join(', ');
	throw new Error(`It offers ${length} of its credentials.`);
}

/** The right ones pass, and a wrong token is told in words. */
async function testCredentials(polling: PollingN8n, { secrets }: PartContext): Promise<string> {
	const { session } = polling.n8n;
	for (const details of polling.credentialDetails) {
		const { status, message } = await testCredential(session, details);
		// n8n itself tests credentials of OAuth2 by signing in, and has no such call.
		if (status !== 'OK' && details.type !== 'browserConsoleOAuth2Api') {
			throw new Error(`${details.name}: ${message}`);
		}
	}
	const [scanning] = polling.credentialDetails;
	const apiToken = `wrong-${randomUUID()}`;
	secrets.add('a wrong token', apiToken);
	const wrong = { ...scanning, name: 'Wrong token', data: { ...scanning.data, apiToken } };
	const { status, message } = await testCredential(session, wrong);
	if (status === 'Error' && message.length > 0) return `a wrong token: "${message}"`;
	throw new Error(`The test of a wrong token ends with ${status}, '${message}'.`);
}

async function scanUrl(polling: PollingN8n, name: string): Promise<NodeSetup> {
	const [{ type }] = polling.credentialDetails;
	const credential = (await polling.credentials()).get(type)!;
	return {
		name,
		type: 'contentScan',
		parameters: { resource: 'scan', operation: 'scanUrl', url: 'https://www.example.com' },
		credential: { type, ...credential },
	};
}

/** The versions of n8n wrap what the HTTP client throws in different ways. */
async function cutSubmission(polling: PollingN8n, run: RunWorkflow): Promise<string> {
	polling.sandbox.faults.add({
		service: 'scan',
		method: 'POST',
		cut: 'beforeAnswer',
		carryOut: true,
	});
	const setup = await scanUrl(polling, 'A submission that is cut');
	const { failure = 'It did not fail.' } = await runNode(polling.n8n.session, setup, run);
	if (failure.includes('It is not certain whether')) return `"${failure}"`;
	throw new Error(failure);
}

/** The versions of n8n tell an item that failed from others in different ways. */
async function failItem(polling: PollingN8n, run: RunWorkflow): Promise<string> {
	polling.sandbox.faults.add({ service: 'scan', method: 'POST', status: 400 });
	const setup = await scanUrl(polling, 'A failed item');
	setup.onError = 'continueErrorOutput';
	const { output, failed } = await runNode(polling.n8n.session, setup, run);
	if (output.length === 0 && failed.length === 1) return JSON.stringify(failed[0]);
	throw new Error(`${output.length} items on the first output, ${failed.length} on the other.`);
}

async function renewToken(polling: PollingN8n, run: RunWorkflow): Promise<string> {
	await listEntries(polling, run, 'oAuth2');
	polling.sandbox.revokeBearers();
	return await listEntries(polling, run, 'oAuth2');
}

const CONSOLE_CREDENTIALS = {
	headers: 'browserConsoleHeadersApi',
	oAuth2: 'browserConsoleOAuth2Api',
};

async function listEntries(
	polling: PollingN8n,
	run: RunWorkflow,
	authentication: keyof typeof CONSOLE_CREDENTIALS = 'headers',
): Promise<string> {
	const type = CONSOLE_CREDENTIALS[authentication];
	const credential = (await polling.credentials()).get(type)!;
	const setup = {
		name: `List entries, ${authentication}`,
		type: 'consoleAuditLog',
		parameters: { authentication, operation: 'getAll', returnAll: false, limit: LIMIT },
		credential: { type, ...credential },
	};
	const { output, failure } = await runNode(polling.n8n.session, setup, run);
	if (output.length === LIMIT) return `${output.length}, as asked`;
	throw new Error(`${output.length} entries, not ${LIMIT}. ${failure ?? ''}`);
}

async function restart({ n8n }: PollingN8n, trigger: ContinuousTrigger): Promise<string> {
	await n8n.stop();
	await n8n.start();
	return `${await trigger.delivers()} more entries`;
}

/** n8n keeps a failed poll as a failed execution. */
async function failingPoll(
	{ n8n, sandbox }: PollingN8n,
	trigger: ContinuousTrigger,
): Promise<string> {
	sandbox.faults.add({ service: 'console', status: 401, times: null });
	let failed: string | undefined;
	const seen = async (): Promise<boolean> => {
		const executions = await recentExecutions(n8n.session, trigger.id);
		failed = executions.find(({ status }) => status === 'error')?.id;
		return failed !== undefined;
	};
	await waitUntil('no poll failed', seen, FAILS_SOON);
	const failure = failureOf(await readExecution(n8n.session, String(failed)));
	if (failure) return `"${failure}"`;
	throw new Error(`Execution ${failed} failed without a word.`);
}
