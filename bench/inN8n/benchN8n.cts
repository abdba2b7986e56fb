import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import axios, { AxiosError } from 'axios';
import { defaultConsoleHeaders, sandboxTokens } from '../../sandbox/fixtures/accounts.cts';
import { demoSignIn } from '../../scripts/demo/startDemo.cts';
import type { Teardown } from '../../scripts/demo/teardown.cts';
import { placeCommunityPackage } from '../../scripts/n8n/communityPackage.cts';
import {
	failureOf,
	readExecution,
	recentExecutions,
	type ExecutionSummary,
} from '../../scripts/n8n/executions.cts';
import type { N8nHost } from '../../scripts/n8n/host.cts';
import { N8nInstance } from '../../scripts/n8n/n8nInstance.cts';
import {
	activateWorkflow,
	createWorkflow,
	saveCredential,
	type SavedWorkflow,
	type WorkflowFile,
} from '../../scripts/n8n/workflows.cts';
import type { Tarball } from '../../scripts/package/tarball.cts';
import { waitUntil } from '../../scripts/waitUntil.cts';
import { GARBAGE_COLLECTOR } from './bareNode.cts';
import { chainOf, NEVER_AGAIN, workflowNode } from './workflowNodes.cts';

/** Between two looks at whether an execution has failed. */
const LOOK_EVERY_MS = 5_000;

const SETTINGS: Record<string, string> = { EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none' };

/** Longer than n8n takes to end an execution whose last node has done its work. */
const LONGEST_END_MS = 60_000;

/** A real n8n with the package installed, in which workflows are timed. */
export class BenchN8n {
	private collector?: SavedWorkflow;

	private constructor(readonly n8n: N8nInstance) {}

	/** @param settings Environment variables beyond its own. */
	static async start(
		{ host, tarball, teardown }: { host: N8nHost; tarball: Tarball; teardown: Teardown },
		settings: Record<string, string> = {},
	): Promise<BenchN8n> {
		const userFolder = await mkdtemp(join(tmpdir(), 'content-scan-bench-'));
		teardown.add(() => rm(userFolder, { recursive: true, force: true, maxRetries: 5 }));
		await placeCommunityPackage(userFolder, tarball);
		const n8n = await N8nInstance.create({
			host,
			userFolder,
			settings: { ...SETTINGS, ...settings },
		});
		teardown.add(() => n8n.kill());
		await n8n.start();
		await n8n.session.signIn(demoSignIn);
		return new BenchN8n(n8n);
	}

	/** A credential for the console at this address. */
	async consoleCredential(consoleUrl: string): Promise<{ id: string; name: string }> {
		const values = Object.entries(defaultConsoleHeaders).map(([name, value]) => ({ name, value }));
		return await this.credential('browserConsoleHeadersApi', {
			consoleUrl,
			headers: { values },
		});
	}

	/** A credential for the scanning service at this address. */
	async scanCredential(
		baseUrl: string,
		callsPerMinute: number,
	): Promise<{ id: string; name: string }> {
		const apiToken = sandboxTokens.parent;
		const data = { environment: 'custom', baseUrl, apiToken, callsPerMinute };
		return await this.credential('contentScanApi', data);
	}

	/** n8n's own kind of credential for a token in a header. */
	async headerCredential(): Promise<{ id: string; name: string }> {
		const data = { name: 'Authorization', value: `Token ${sandboxTokens.parent}` };
		return await this.credential('httpHeaderAuth', data);
	}

	private async credential(
		type: string,
		data: Record<string, unknown>,
	): Promise<{ id: string; name: string }> {
		const name = `${type} of the benchmark`;
		return { id: await saveCredential(this.n8n.session, { name, type, data }), name };
	}

	async add(workflow: WorkflowFile): Promise<SavedWorkflow> {
		return await createWorkflow(this.n8n.session, workflow);
	}

	async activate(workflow: SavedWorkflow): Promise<void> {
		await activateWorkflow(this.n8n.session, workflow);
	}

	async deactivate({ id }: SavedWorkflow): Promise<void> {
		await this.n8n.session.call('POST', `/workflows/${id}/deactivate`);
	}

	/**
	 * Brings n8n to the state in which each run begins: nothing is left to collect of those before, which
	 * would fall into some runs and not into others. For an n8n that has loaded the GARBAGE_COLLECTOR.
	 */
	async collectGarbage(): Promise<void> {
		const node = workflowNode('Collect', GARBAGE_COLLECTOR.type, 1, NEVER_AGAIN);
		this.collector ??= await this.add(chainOf('Garbage', [node]));
		await this.activate(this.collector);
		await this.deactivate(this.collector);
	}

	/** Waits until n8n has ended all executions of a workflow, and deleted what succeeded. */
	async ended({ id, name }: SavedWorkflow): Promise<void> {
		const isOver = async (): Promise<boolean> =>
			(await recentExecutions(this.n8n.session, id)).length === 0;
		await waitUntil(`the workflow '${name}' did not end`, isOver, {
			everyMs: 50,
			withinMs: LONGEST_END_MS,
		});
	}

	/** @throws Error with n8n's words when an execution of the workflow fails before `done`. */
	async watch({ id, name }: SavedWorkflow, done: AbortSignal): Promise<void> {
		const { session } = this.n8n;
		for (;;) {
			await sleep(LOOK_EVERY_MS, undefined, { signal: done }).catch(() => {});
			if (done.aborted) return;
			const [failed] = (await recentExecutions(session, id).catch(noneWhenBusy)).filter(isFailed);
			if (!failed) continue;
			const why = failureOf(await readExecution(session, failed.id)) ?? failed.status;
			throw new Error(`The workflow '${name}' failed: ${why}`);
		}
	}

	/** Calls a webhook of a workflow that was activated, as soon as n8n has taken it up. */
	async callWebhook(path: string, body: object = {}): Promise<void> {
		const answered = async (): Promise<boolean> => {
			const options = { proxy: false as const, validateStatus: () => true };
			return (await axios.post(`${this.n8n.url}/webhook/${path}`, body, options)).status === 200;
		};
		await waitUntil('n8n did not take up the webhook', answered, {
			everyMs: 100,
			withinMs: 60_000,
		});
	}
}

function isFailed({ status }: ExecutionSummary): boolean {
	return status === 'error' || status === 'crashed';
}

/** An n8n that is too busy to answer in time has not failed. @throws any other error */
function noneWhenBusy(error: unknown): [] {
	if (axios.isAxiosError(error) && error.code === AxiosError.ECONNABORTED) return [];
	throw error;
}
