import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import execa from 'execa';
import type { Part, PartContext } from '../part.cts';
import { submitAsTool, TOOLS_ALLOWED } from '../inN8n/agentTool.cts';
import { scanOnce } from '../inN8n/scanOnce.cts';
import { startPollingN8n, type PollingN8n } from '../triggerInN8n/pollingN8n.cts';
import { failInEveryWay } from './errorPaths.cts';
import { dumpDatabases } from './dumpDatabases.cts';
import { searchFolder, type Leak } from './searchFolder.cts';

const SHOWN_LEAKS = 20;
const ENTRIES_PER_MINUTE = 60;
const SEED = 1;

/**
 * Lets everything fail in one more n8n, that says all it can in its log, and then searches what every
 * part of the run has left, and what the run keeps.
 */
export const secretsPart: Part = {
	name: 'secrets',
	title: 'no token and no header value in what the run left: databases, logs, outputs, artefacts',
	run: async (context) => {
		const { check } = context;
		const polling = await startPollingN8n({
			...context,
			settings: { N8N_LOG_LEVEL: 'debug', ...TOOLS_ALLOWED },
			entriesPerMinute: ENTRIES_PER_MINUTE,
			seed: SEED,
		});
		await check('Right credentials work', () => scanOnce(polling));
		await check('An AI agent submits a URL, too', () => submitAsTool(polling, context.teardown));
		await check('Everything fails in words', () => failInEveryWay(polling, SEED, context));
		await check("n8n's own answers hold no secret", () => searchShown(polling, context));
		await polling.n8n.stop();
		await check('A planted secret is found, in plain words, base64 and a database', () =>
			findPlanted(context),
		);
		await check('Nothing that the run left holds a secret', () => searchAll(context));
	},
};

/** A search that finds nothing says something only if it would find something. */
async function findPlanted({ secrets, host, teardown }: PartContext): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'content-scan-planted-'));
	teardown.add(() => rm(folder, { recursive: true, force: true }));
	const all = secrets.all();
	for (const [index, { value }] of all.entries()) {
		await writeFile(join(folder, `${index}-plain.log`), `debug {"header":"${value}"}\n`);
		const header = Buffer.from(`Token ${value} `).toString('base64');
		await writeFile(join(folder, `${index}-base64.log`), `Basic ${header}\n`);
	}
	await plantInDatabase(join(folder, 'planted.sqlite'), host.node.binary, all[0].value);
	await dumpDatabases(folder, host);
	const { leaks } = await searchFolder(folder, all);
	const found = new Set(leaks.map(({ file }) => file));
	const missed = all.flatMap(({ label }, index) =>
		[`${index}-plain.log`, `${index}-base64.log`]
			.filter((file) => !found.has(file))
			.map((file) => `${label} in ${file}`),
	);
	if (!leaks.some(({ lineBegins }) => lineBegins === 'planted')) missed.push('the database row');
	if (missed.length > 0) throw new Error(`Planted and not found: ${missed.join('; ')}.`);
	return `${all.length} secrets`;
}

/** Long enough to be cut into several of the database's pages. */
const PAGES_OF_TEXT = 20_000;

async function plantInDatabase(file: string, node: string, value: string): Promise<void> {
	const script = `
		const { DatabaseSync } = require('node:sqlite');
		const database = new DatabaseSync(process.argv[1]);
		database.exec('CREATE TABLE planted (data TEXT)');
		database.prepare('INSERT INTO planted VALUES (?)').run(process.argv[2]);
		database.close();`;
	const text = 'x'.repeat(PAGES_OF_TEXT) + value;
	await execa(node, ['--no-warnings', '--eval', script, file, text]);
}

/** What the editor gets to see: executions with their data, workflows, credentials. */
async function searchShown({ n8n }: PollingN8n, { folder, secrets }: PartContext): Promise<string> {
	const { session } = n8n;
	const shown = join(folder, 'shown');
	await mkdir(shown);
	const lists = ['executions', 'workflows', 'credentials'] as const;
	for (const list of lists) {
		const answer = await session.call<Listed | Listed['results']>('GET', `/${list}?limit=100`);
		for (const { id } of Array.isArray(answer) ? answer : answer.results) {
			const query = list === 'credentials' ? '?includeData=true' : '';
			const one = await session.call('GET', `/${list}/${id}${query}`);
			await writeFile(join(shown, `${list}-${id}.json`), JSON.stringify(one));
		}
	}
	const { files, leaks } = await searchFolder(shown, secrets.all());
	if (leaks.length === 0) return `${files} answers`;
	throw new Error(shownLeaks(leaks));
}

interface Listed {
	results: Array<{ id: string }>;
}

async function searchAll({ left, secrets, host }: PartContext): Promise<string> {
	let files = 0;
	let bytes = 0;
	let databases = 0;
	const leaks: Leak[] = [];
	for (const folder of left) {
		databases += await dumpDatabases(folder, host);
		const search = await searchFolder(folder, secrets.all());
		files += search.files;
		bytes += search.bytes;
		leaks.push(...search.leaks);
	}
	if (leaks.length > 0) throw new Error(shownLeaks(leaks));
	return `${files} files, ${Math.round(bytes / 1e6)} MB, ${databases} databases`;
}

function shownLeaks(leaks: readonly Leak[]): string {
	const lines = leaks
		.slice(0, SHOWN_LEAKS)
		.map(({ file, label, form, lineBegins }) =>
			[file, lineBegins, label, form].filter(Boolean).join(', '),
		);
	return [`${leaks.length} places hold a secret:`, ...lines].join('\n');
}
