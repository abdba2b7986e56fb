import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { hexDigits } from '../../../sandbox/deterministic.cts';
import {
	bearerPrefix,
	defaultConsoleHeaders,
	sandboxServiceAccount,
	sandboxTokens,
} from '../../../sandbox/fixtures/accounts.cts';
import type { FaultRule } from '../../../sandbox/wire/faults.cts';
import { saveCredential, type CredentialDetails } from '../../../scripts/n8n/workflows.cts';
import { testCredential } from '../inN8n/credentialTest.cts';
import { runNode, type NodeSetup } from '../inN8n/runNode.cts';
import type { PartContext } from '../part.cts';
import type { PollingN8n } from '../triggerInN8n/pollingN8n.cts';

type Service = 'scan' | 'console';

/** More access tokens than n8n asks for in this run. */
const BEARERS = 40;

/** What a server could repeat of what it was sent with a credential, in one line. */
function echoOf(type: string, seed: number): string {
	if (type === 'contentScanApi') return `Authorization: Token ${sandboxTokens.parent}`;
	if (type === 'browserConsoleHeadersApi') {
		const headers = Object.entries(defaultConsoleHeaders);
		return headers.map(([name, value]) => `${name}: ${value}`).join(', ');
	}
	const bearers = Array.from(
		{ length: BEARERS },
		(_, index) => `Bearer ${bearerPrefix}${index + 1}-${hexDigits(seed, index + 1)}`,
	);
	return [...bearers, `client_secret=${sandboxServiceAccount.clientSecret}`].join(', ');
}

interface TemptingAnswer {
	what: string;
	effect: Partial<FaultRule>;
}

/** Answers that tempt a node to show what it sent. */
function temptingAnswers(echo: string): TemptingAnswer[] {
	const page = { text: `<p>${echo}</p>`, contentType: 'text/html' };
	const words = { text: echo, contentType: 'text/plain' };
	return [
		{ what: 'says 401 and repeats it', effect: { status: 401, body: { json: { detail: echo } } } },
		{ what: 'says 403 and repeats it', effect: { status: 403, body: { json: { error: echo } } } },
		{ what: 'says 500 with a page that repeats it', effect: { status: 500, body: page } },
		{ what: 'says 200 with a text that repeats it', effect: { status: 200, body: words } },
		{ what: 'leads elsewhere', effect: { redirectTo: 'http://127.0.0.1:9/elsewhere' } },
		{ what: 'hangs up', effect: { cut: 'beforeAnswer' } },
	];
}

/** The two action nodes as they are set up here, without their credential. */
const NODES: Record<Service, Omit<NodeSetup, 'name' | 'credential'>> = {
	scan: {
		type: 'contentScan',
		parameters: { resource: 'scan', operation: 'scanUrl', url: 'http://malware.example/a' },
	},
	console: {
		type: 'consoleAuditLog',
		parameters: { operation: 'getAll', returnAll: false, limit: 5 },
	},
};

const AUTHENTICATION: Record<string, IDataObject> = {
	browserConsoleHeadersApi: { authentication: 'headers' },
	browserConsoleOAuth2Api: { authentication: 'oAuth2' },
};

/**
 * Lets every credential of the package fail in every way, in n8n itself, and says how many failures
 * there were. What n8n stores, logs and shows of them is searched afterwards.
 * @throws Error when something does not fail, or fails without a word
 */
export async function failInEveryWay(
	polling: PollingN8n,
	seed: number,
	context: PartContext,
): Promise<string> {
	let failures = 0;
	for (const details of polling.credentialDetails) {
		for (const answer of temptingAnswers(echoOf(details.type, seed))) {
			failures += await failWith(polling, details, answer);
		}
	}
	return `${failures + (await failWithWrongSecrets(polling, context))} failures`;
}

/** The same node fails as an execution and, where failing items go on, as an item. */
async function failWith(
	polling: PollingN8n,
	details: CredentialDetails,
	{ what, effect }: TemptingAnswer,
): Promise<number> {
	const service: Service = details.type === 'contentScanApi' ? 'scan' : 'console';
	for (const continueOnFail of [false, true]) {
		const fault = polling.sandbox.faults.add({ service, times: null, ...effect });
		await expectFailure(polling, details, service, `${details.name}: it ${what}`, continueOnFail);
		polling.sandbox.faults.remove(fault);
	}
	return 2;
}

async function expectFailure(
	{ n8n, credentials }: PollingN8n,
	details: CredentialDetails,
	service: Service,
	name: string,
	continueOnFail: boolean,
): Promise<void> {
	const node = NODES[service];
	const saved = (await credentials()).get(details.type);
	const isSaved = saved?.name === details.name;
	const { output, failure } = await runNode(n8n.session, {
		...node,
		name,
		parameters: { ...node.parameters, ...AUTHENTICATION[details.type] } as NodeSetup['parameters'],
		credential: {
			type: details.type,
			id: isSaved ? saved.id : await saveCredential(n8n.session, details),
			name: details.name,
		},
		onError: continueOnFail ? 'continueRegularOutput' : undefined,
	});
	const words = continueOnFail ? output.at(0)?.error : failure;
	if (!words) throw new Error(`${name}, and the node does not say so.`);
}

/** Wrong secrets are secrets too: they are often right ones of another place. */
async function failWithWrongSecrets(
	polling: PollingN8n,
	{ secrets }: PartContext,
): Promise<number> {
	const { session } = polling.n8n;
	const wrong = `wrong-${randomUUID()}`;
	secrets.add('a wrong secret', wrong);
	for (const details of polling.credentialDetails) {
		const name = `${details.name}, wrong`;
		const text = JSON.stringify(details.data).replace(/SANDBOX-SECRET[\w-]*/g, wrong);
		const changed = { ...details, name, data: JSON.parse(text) };
		const service: Service = details.type === 'contentScanApi' ? 'scan' : 'console';
		if (details.type !== 'browserConsoleOAuth2Api') {
			const { status } = await testCredential(session, changed);
			if (status !== 'Error') throw new Error(`${name}: its test passes.`);
		}
		await expectFailure(polling, changed, service, name, false);
	}
	return 2 * polling.credentialDetails.length - 1;
}
