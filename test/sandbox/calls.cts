import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import axios from 'axios';
import { ManualClock } from '../../sandbox/clock.cts';
import type { Sandbox } from '../../sandbox/createSandbox.cts';
import { createSandbox } from '../../sandbox/createSandbox.cts';
import {
	defaultConsoleHeaders,
	sandboxServiceAccount,
	sandboxTokens,
} from '../../sandbox/fixtures/accounts.cts';
import type { SettingsPatch } from '../../sandbox/settings.cts';
import type { JournalEntry } from '../../sandbox/wire/journal.cts';

/** A sandbox that listens, its clock standing at 2026-06-15T12:00:00Z until a test moves it. */
export interface OpenSandbox {
	sandbox: Sandbox;
	clock: ManualClock;
}

export const startMs = Date.parse('2026-06-15T12:00:00.000Z');
let shared: OpenSandbox | undefined;
const logLines: string[] = [];

/** The sandbox of this test file, started anew: what an earlier test did to it is gone. */
export async function openSandbox(settings: SettingsPatch = {}): Promise<OpenSandbox> {
	if (!shared) {
		const clock = new ManualClock(startMs);
		const sandbox = createSandbox({ clock, log: (line) => logLines.push(line) });
		await sandbox.listen();
		shared = { sandbox, clock };
	}
	logLines.length = 0;
	shared.clock.restart(startMs);
	shared.sandbox.reset(settings);
	return shared;
}

/** What the sandbox has written to its log since it was opened. */
export function sandboxLog(): readonly string[] {
	return logLines;
}

afterAll(async () => await shared?.sandbox.close());

export type TokenName = keyof typeof sandboxTokens;

/** The first call of the journal, as soon as it has come in, answered or not. */
export async function arrival({ sandbox }: OpenSandbox): Promise<JournalEntry> {
	while (sandbox.journal.total === 0) await new Promise<void>((turn) => setImmediate(turn));
	return sandbox.journal.entries()[0];
}

/** One call as the service sees it: nothing is followed, no status throws. */
export async function call(config: AxiosRequestConfig): Promise<AxiosResponse> {
	return await axios.request({
		validateStatus: () => true,
		maxRedirects: 0,
		proxy: false,
		...config,
	});
}

export function tokenHeader(token: TokenName): Record<string, string> {
	return { Authorization: `Token ${sandboxTokens[token]}` };
}

/** A GET of the scanning service, in the US environment unless told. */
export async function getScans(
	{ sandbox }: OpenSandbox,
	path: string,
	token: TokenName = 'parent',
	environment: 'us' | 'eu' | 'aus' = 'us',
): Promise<AxiosResponse> {
	const url = sandbox.addresses[environment] + path;
	return await call({ url, headers: tokenHeader(token) });
}

/** A form-encoded submission to the US environment. */
export async function submit(
	{ sandbox }: OpenSandbox,
	path: '/api/v1/files/' | '/api/v1/urls/',
	fields: Record<string, string>,
	token: TokenName = 'parent',
): Promise<AxiosResponse> {
	return await call({
		method: 'POST',
		url: sandbox.addresses.us + path,
		headers: tokenHeader(token),
		data: new URLSearchParams(fields),
	});
}

/** A multipart upload to the US environment, the content in part `data`. */
export async function upload(
	{ sandbox }: OpenSandbox,
	content: Uint8Array<ArrayBuffer>,
	fields: Record<string, string> = {},
	part = 'data',
): Promise<AxiosResponse> {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	form.append(part, new Blob([content]), 'upload.bin');
	return await call({
		method: 'POST',
		url: `${sandbox.addresses.us}/api/v1/files/`,
		headers: tokenHeader('parent'),
		data: form,
	});
}

/** The record of the scan that was submitted last. */
export function lastRecord({ sandbox }: OpenSandbox) {
	const scans = sandbox.scans('us');
	return scans[scans.length - 1].record;
}

/** A GET of the console, with its headers unless others are given. */
export async function getConsole(
	{ sandbox }: OpenSandbox,
	query: Record<string, string | number> = {},
	path = '/api/admin-audit-log-entries',
	headers: Record<string, string> = defaultConsoleHeaders,
): Promise<AxiosResponse> {
	const url = sandbox.addresses.console + path;
	return await call({ url, params: query, headers });
}

export function basicHeader(secret: string = sandboxServiceAccount.clientSecret) {
	const pair = `${sandboxServiceAccount.clientId}:${secret}`;
	return { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

export async function askForBearer(
	{ sandbox }: OpenSandbox,
	fields: Record<string, string> = { grant_type: 'client_credentials' },
	headers: Record<string, string> = basicHeader(),
): Promise<AxiosResponse> {
	const data = new URLSearchParams(fields);
	return await call({ method: 'POST', url: sandbox.tokenUrl, headers, data });
}

/** Reads pages until there is no token, or a page is empty; gives the ids page by page. */
export async function readPages(
	open: OpenSandbox,
	query: Record<string, string | number>,
): Promise<string[][]> {
	const pages: string[][] = [];
	let token: string | null | undefined;
	do {
		const next: Record<string, string> = token ? { pageToken: token } : {};
		const { data } = await getConsole(open, { ...query, ...next });
		if (data.items.length === 0) break;
		pages.push(data.items.map((item: { auditlogId: string }) => item.auditlogId));
		token = data.nextPageToken;
	} while (token);
	return pages;
}
