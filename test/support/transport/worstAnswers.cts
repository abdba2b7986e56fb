/**
 * What ten of the worst answers within the bounds cost when they come at once:
 * `node --require tsx/cjs test/support/transport/worstAnswers.cts [NAME]`, after `npm run build`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import axios from 'axios';
import type { RequestContext } from '../../../transport/connection';
import { processorTime as usedTime } from '../processorTime.cts';
import { answer, startRawServer } from './rawServer.cts';

const MB = 1024 * 1024;

const AT_ONCE = 10;

const TOKEN = 'TOP-SECRET-TOKEN-1';

const list = (length: number, value: (index: number) => string): string =>
	`[${Array.from({ length }, (_, index) => value(index)).join()}]`;

const nestedKeys = (index: number, filling: string): string =>
	Array.from({ length: 90 }, (_, level) => `{"k${index}_${level}${filling}":`).join('') +
	'0'.padEnd(91, '}');

const WORST: Record<string, () => string> = {
	'nested keys': () => list(1080, (index) => nestedKeys(index, '')),
	'long nested keys': () => list(1080, (index) => nestedKeys(index, 'x'.repeat(38))),
	'one object': () =>
		`{${list(290_000, (i) => `"k${String(i).padStart(6, '0')}":"${String(i).padStart(6, 'a').slice(1)}"`).slice(1, -1)}}`,
	strings: () => list(290_000, (index) => `"${String(index).padStart(15, 'x')}"`),
	'strings and a euro': () =>
		list(290_000, (i) => (i ? `"${String(i).padStart(15, 'x')}"` : '"€"')),
	'a text with a euro': () => `"€${'a'.repeat(5 * MB - 10)}"`,
	'long numbers': () => list(295_000, () => '9007199254740993'),
	'echoed tokens': () => list(230_000, () => `"${TOKEN}"`),
	'echoed tokens as keys': () => list(70_000, (index) => `{"${TOKEN}${index}":"${TOKEN}"}`),
	'escapes and a token': () => `["${TOKEN}","${'\\u20ac'.repeat(800_000)}"]`,
	'a page of 5,000 entries': () => JSON.stringify({ items: Array.from({ length: 5000 }, entry) }),
};

function entry(_: unknown, id: number) {
	return {
		auditlogId: `a${id}`,
		createdAt: '2026-06-15T12:00:00.000Z',
		actor: { email: `user${id}@example.com`, roles: ['Owner', 'Reader'], ip: '192.0.2.1' },
		...Object.fromEntries([...'abcdefghijklmnop'].map((key) => [key, `value ${key} ${id}`])),
	};
}

export interface Cost {
	/** How many of the ten were taken. */
	taken: number;
	/** How much more memory the process had at its highest, in MB. */
	memory: number;
	/** The most processor time it took before it did other work, in milliseconds. */
	processorTime: number;
}

/** Measured in a process of its own, whose memory is its own. */
export async function costOf(name: string): Promise<Cost> {
	const server = await startRawServer();
	try {
		server.behave(answer(200, WORST[name]()));
		const child = fork(__filename, [], {
			execArgv: ['--expose-gc', '--require', 'tsx/cjs'],
			env: { ...process.env, WORST_ANSWERS_FROM: server.origin },
		});
		const [cost] = (await once(child, 'message')) as [Cost];
		return cost;
	} finally {
		await server.close();
	}
}

async function measured(origin: string): Promise<Cost> {
	const { connect } =
		require('../../../dist/transport/connect.js') as typeof import('../../../transport/connect');
	const httpRequestWithAuthentication = async (_: string, { url }: { url: string }) => {
		const { status, headers, data } = await axios.get(url, { responseType: 'stream' });
		return { statusCode: status, headers, body: data };
	};
	const context = { getNode: () => ({}), helpers: { httpRequestWithAuthentication } };
	const service = connect(context as unknown as RequestContext, {
		credentialType: 'contentScanApi',
		origin,
		serviceName: 'scanning service',
		queueKey: 'key',
		secrets: [TOKEN],
		tokens: [TOKEN],
	});
	const send = async () =>
		await service.send({ method: 'GET', path: '/', idempotent: true, purpose: 'read' });
	globalThis.gc?.();
	const before = process.memoryUsage.rss();
	const highest = { memory: 0, processorTime: 0 };
	let last = usedTime();
	const look = setInterval(() => {
		const now = usedTime();
		highest.memory = Math.max(highest.memory, process.memoryUsage.rss() - before);
		highest.processorTime = Math.max(highest.processorTime, now - last);
		last = now;
	}, 5);
	const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, send));
	clearInterval(look);
	return {
		taken: outcomes.filter(({ status }) => status === 'fulfilled').length,
		memory: Math.round(Math.max(highest.memory, process.memoryUsage.rss() - before) / MB),
		processorTime: Math.round(highest.processorTime / 1000),
	};
}

async function main(): Promise<void> {
	const { WORST_ANSWERS_FROM: origin } = process.env;
	if (origin) {
		process.send?.(await measured(origin));
		process.disconnect();
		return;
	}
	for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(WORST)) {
		const { taken, memory, processorTime } = await costOf(name);
		console.log(
			`${name}: ${taken} taken, ${memory} MB more, at most ${processorTime} ms without other work`,
		);
	}
}

if (require.main === module) void main();
