import { indexOf } from '../../sandbox/console/generatedEntries.cts';
import { defaultConsoleHeaders } from '../../sandbox/fixtures/accounts.cts';
import { DEFAULT_TEXT_MB } from '../../nodes/ConsoleAuditLog/output/outputFields';
import type { WorkflowFile } from '../../scripts/n8n/workflows.cts';
import type { Contender } from '../comparison/contenders.cts';
import type { BenchN8n } from '../inN8n/benchN8n.cts';
import { runPlainLoop, type PlainLoop } from '../plainLoops/plainLoop.cts';
import { PREPARED_SEED } from '../preparedAnswers/preparedPages.cts';
import type { PreparedServer } from '../preparedAnswers/preparedServer.cts';
import type { RunRecord } from '../preparedAnswers/runRecord.cts';
import {
	bareReaderToSink,
	httpRequestWorkflow,
	type Reader,
	triggerToSink,
	triggerWorkflow,
} from './logWorkflows.cts';

/** Whoever reads the whole log of a prepared server, and is timed by that server. */
export class LogContenders {
	private constructor(
		private readonly server: PreparedServer,
		private readonly entries: number,
		private readonly n8n: BenchN8n,
		private readonly node: string,
		private readonly credential: { id: string; name: string },
	) {}

	/** @param node n8n's own Node, which runs the plain loops too. */
	static async on(
		server: PreparedServer,
		entries: number,
		n8n: BenchN8n,
		node: string,
	): Promise<LogContenders> {
		const credential = await n8n.consoleCredential(server.url);
		return new LogContenders(server, entries, n8n, node, credential);
	}

	trigger(name: string): Contender {
		return this.triggered(name, triggerWorkflow(this.server.url, this.credential, {}));
	}

	triggerToSink(name: string, output: 'text' | 'items', pageSize: number): Contender {
		const { server, credential } = this;
		return this.triggered(name, triggerToSink(server.url, credential, output, pageSize));
	}

	reader(name: string, pageSize: number, reader: Reader): Contender {
		const { server, credential } = this;
		return this.triggered(name, bareReaderToSink(server.url, credential, pageSize, reader));
	}

	private triggered(name: string, built: WorkflowFile): Contender {
		const { server, n8n } = this;
		return this.timed(name, async () => {
			const workflow = await n8n.add(built);
			await n8n.collectGarbage();
			const record = await server.record(async (done) => {
				await n8n.activate(workflow);
				await n8n.watch(workflow, done);
			});
			await n8n.deactivate(workflow);
			await n8n.ended(workflow);
			return record;
		});
	}

	httpRequest(name: string, pageSize: number, toSink: boolean): Contender {
		const { server, n8n } = this;
		return this.timed(name, async () => {
			const built = httpRequestWorkflow(server.url, pageSize, toSink);
			const workflow = await n8n.add(built.workflow);
			await n8n.activate(workflow);
			await n8n.collectGarbage();
			const record = await server.record(async (done) => {
				await n8n.callWebhook(built.webhook);
				await n8n.watch(workflow, done);
			});
			await n8n.deactivate(workflow);
			await n8n.ended(workflow);
			return record;
		});
	}

	axios(name: string, pageSize: number, keepAlive: boolean): Contender {
		const headers = defaultConsoleHeaders;
		return this.plain(name, { kind: 'log', url: this.server.url, pageSize, keepAlive, headers });
	}

	/** Reads and sends on what the trigger does with `text`. */
	axiosToSink(name: string, pageSize: number): Contender {
		const { url } = this.server;
		const batchBytes = DEFAULT_TEXT_MB * 1_000_000;
		const headers = defaultConsoleHeaders;
		return this.plain(name, { kind: 'siem', url, pageSize, batchBytes, keepAlive: true, headers });
	}

	private plain(name: string, loop: PlainLoop): Contender {
		return this.timed(name, async () => await runPlainLoop(this.server, this.node, loop));
	}

	private timed(name: string, read: () => Promise<RunRecord>): Contender {
		return {
			name,
			run: async () => {
				const { milliseconds, reading, last } = await read();
				const index = indexOf(PREPARED_SEED, last);
				if (index === this.entries - 1) return { milliseconds, reading };
				throw new Error(
					`${name} ended with '${last}', which is the entry ${index} of ${this.entries}.`,
				);
			},
		};
	}
}
