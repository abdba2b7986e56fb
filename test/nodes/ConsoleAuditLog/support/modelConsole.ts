import { deferred } from '../../../support/deferred.cts';
import { streamOf } from '../../../support/streamOf.cts';
import type {
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	IPollFunctions,
	IRun,
} from 'n8n-workflow';
import { pollAuditLog } from '../../../../nodes/ConsoleAuditLog/trigger/auditLogPoll';
import { systemClock } from '../../../../transport/clock';
import type { ModelLog } from './modelLog';

/** An answer instead of the log's: a status, or a promise that holds it back. */
type Trouble = number | Promise<void>;

/** The console behind n8n's request helper: a model of the log with a clock of its own. */
export class ModelConsole {
	/** Milliseconds; goes on by what a test adds. */
	now: number;
	/** What becomes of the next calls; `undefined` is an answer. */
	troubles: Array<Trouble | undefined> = [];
	readonly urls: URL[] = [];
	/** How far the console's clock, as its header tells it, is ahead of the log's. */
	dateSkew: number | undefined = 0;
	tokensRefused = false;
	/** What it gives for a page token; `null` stands for none. */
	tokenAs: (token: string | null) => unknown = (token) => token;
	/** Milliseconds that each call takes. */
	callMs = 0;
	/** Larger pages are answered with 500. */
	largestPage = Infinity;

	constructor(
		public log: ModelLog,
		begin: number,
	) {
		this.now = begin;
	}

	readonly answer = async ({ url }: IHttpRequestOptions) => {
		const address = new URL(url);
		this.urls.push(address);
		this.now += this.callMs;
		const trouble = this.troubles.shift();
		if (typeof trouble === 'number') return this.response(trouble, { message: 'no' });
		await trouble;
		const query = address.searchParams;
		const pageToken = query.get('pageToken') ?? undefined;
		if (pageToken && this.tokensRefused) return this.response(400, { message: 'token' });
		if (Number(query.get('limit')) > this.largestPage) {
			return this.response(500, { message: 'too many' });
		}
		const since = query.get('since') ?? undefined;
		const page = this.log.page({ since, limit: Number(query.get('limit')), pageToken }, this.now);
		return page === 'refused'
			? this.response(400, { message: 'limit' })
			: this.response(200, { ...page, nextPageToken: this.tokenAs(page.nextPageToken ?? null) });
	};

	private response(statusCode: number, body: object) {
		const date = new Date(this.now + (this.dateSkew ?? 0)).toUTCString();
		return {
			statusCode,
			headers: this.dateSkew === undefined ? {} : { date },
			body: streamOf(JSON.stringify(body)),
		};
	}
}

let nodes = 0;

/** An active workflow with one trigger on a console, as far as a poll notices. */
export class ActiveTrigger {
	staticData: IDataObject = {};
	/** The workflow's own static data. */
	workflowData: IDataObject = {};
	readonly warnings: string[] = [];
	readonly node: INode;
	/** How often n8n was restarted: a trigger of another process remembers nothing. */
	restarts = 0;
	parameters: IDataObject = {};
	mode: 'trigger' | 'manual' = 'trigger';
	/** The value of the credential's header. */
	key = 'secret';
	/** How often the credential was read: n8n decrypts it each time. */
	credentialReads = 0;
	/** How far the computer's clock is ahead of the console's, in milliseconds. */
	clockSkew = 0;
	/** Milliseconds that n8n gives a poll, where it tells: few stand for durable cursors. */
	budgetMs: number | undefined;
	/** The ids of the executions that polls started themselves, each of which ends at once. */
	readonly started: unknown[][] = [];
	ending: 'success' | 'error' | 'crashed' = 'success';
	private readonly contexts = new WeakMap<
		IDataObject,
		{ restarts: number; context: IPollFunctions }
	>();

	constructor(
		readonly console: ModelConsole,
		parameters: IDataObject = {},
	) {
		this.parameters = parameters;
		this.node = {
			id: `node-${++nodes}`,
			name: 'Trigger',
			type: 'consoleAuditLogTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		};
	}

	/** One poll; what it stores stays in `staticData`. */
	async poll(staticData: IDataObject = this.staticData): Promise<INodeExecutionData[] | null> {
		// The transport has the same clock.
		jest.spyOn(systemClock, 'now').mockImplementation(() => this.console.now + this.clockSkew);
		jest.spyOn(systemClock, 'monotonic').mockImplementation(() => this.console.now);
		jest.spyOn(systemClock, 'sleep').mockResolvedValue();
		return (await pollAuditLog(this.contextWith(staticData)))?.[0] ?? null;
	}

	/** In default mode n8n polls with one context from an activation to the next. */
	private contextWith(staticData: IDataObject): IPollFunctions {
		const known = this.contexts.get(staticData);
		if (known?.restarts === this.restarts) return known.context;
		const context = this.context(staticData);
		this.contexts.set(staticData, { restarts: this.restarts, context });
		return context;
	}

	/** The ids of what a poll hands over. */
	async ids(staticData?: IDataObject): Promise<unknown[]> {
		return ((await this.poll(staticData)) ?? []).map(({ json }) => json.auditlogId);
	}

	/**
	 * One poll with durable cursors: n8n gives it a copy of what is stored and keeps that copy when
	 * the poll emits, or ends silently at a tick.
	 */
	async durableIds({ isActivation = false, isDropped = false } = {}): Promise<unknown[]> {
		const copy = JSON.parse(JSON.stringify(this.staticData)) as IDataObject;
		this.budgetMs = isActivation ? 300_000 : 36_000;
		const ids = await this.ids(copy);
		if (isDropped) return [];
		if (ids.length > 0 || !isActivation) this.staticData = JSON.parse(JSON.stringify(copy));
		return ids;
	}

	private context(staticData: IDataObject): IPollFunctions {
		const context = {
			getMode: () => this.mode,
			getNode: () => this.node,
			getChildNodes: () => [{ name: 'End' }],
			getWorkflow: () => ({
				id: `workflow of ${this.node.id} in process ${this.restarts}`,
				name: 'Workflow',
				active: true,
			}),
			getTimezone: () => 'Europe/Berlin',
			getWorkflowStaticData: (type: string) => (type === 'node' ? staticData : this.workflowData),
			getNodeParameter: (name: string, fallback?: unknown) => this.parameters[name] ?? fallback,
			getCredentials: async () => {
				this.credentialReads++;
				return {
					consoleUrl: 'https://console.example.com',
					headers: { values: [{ name: 'X-Key', value: this.key }] },
				};
			},
			logger: { warn: (text: string) => this.warnings.push(text) },
			getPollBudgetMs: () => this.budgetMs,
			__emit: (
				[items]: INodeExecutionData[][],
				_: unknown,
				done: { resolve: (run: IRun) => void },
			) => {
				this.started.push(items.map(({ json }) => json.auditlogId));
				const data = { resultData: { runData: {}, lastNodeExecuted: 'End' } };
				done.resolve({ status: this.ending, data } as unknown as IRun);
			},
			helpers: {
				createDeferredPromise: deferred,
				httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) =>
					await this.console.answer(options),
			},
		};
		return context as unknown as IPollFunctions;
	}
}
