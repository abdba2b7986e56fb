import { chown, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import execa from 'execa';
import type { Teardown } from '../../../scripts/demo/teardown.cts';
import { freePort } from '../../../scripts/n8n/freePort.cts';
import { OwnedProcess } from '../../../scripts/ownedProcess.cts';
import { waitUntil } from '../../../scripts/waitUntil.cts';

const READY = { everyMs: 200, withinMs: 60_000 };
const STOP_WITHIN_MS = 15_000;
/** PostgreSQL refuses to run as root. Debian's package makes this user. */
const DEBIAN_USER = 'postgres';
/** The names that `initdb` is given, or gives. */
const USER = 'n8n';
const DATABASE = 'postgres';

/** A database of its own, on a free port of the loopback interface, with nothing in it. */
export interface PostgresServer {
	/** The settings by which n8n uses it. */
	settings: Record<string, string>;
	/** The rows of a query. */
	query<Row>(select: string): Promise<Row[]>;
	/** Writes everything as text. */
	dump(file: string): Promise<void>;
}

/**
 * @param program Absolute path of `postgres`; the programs beside it are used too.
 * @param logFolder Receives its log.
 */
export async function startPostgres(
	program: string,
	logFolder: string,
	teardown: Teardown,
): Promise<PostgresServer> {
	const programs = dirname(await realpath(program));
	const user = await userOfServer();
	const folder = await mkdtemp(join(tmpdir(), 'content-scan-postgres-'));
	teardown.add(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	if (user) await chown(folder, user.uid, user.gid);
	const environment = { PATH: process.env.PATH ?? '', LC_ALL: 'C' };
	await execa(
		join(programs, 'initdb'),
		['-D', join(folder, 'data'), '-U', USER, '--auth=trust', '--encoding=UTF8', '--no-sync'],
		{ cwd: folder, env: environment, extendEnv: false, ...user },
	);
	const port = String(await freePort());
	const server = await OwnedProcess.start({
		program: join(programs, 'postgres'),
		arguments: [
			...['-D', join(folder, 'data'), '-p', port, '-k', folder],
			...['-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'],
		],
		folder,
		environment,
		logFile: join(logFolder, 'postgres.log'),
		user,
	});
	// SIGINT: without waiting for those who are still connected.
	teardown.add(() => server.stop('SIGINT', STOP_WITHIN_MS));
	const connection = ['-h', '127.0.0.1', '-p', port, '-U', USER, '-d', DATABASE];
	const ready = async () => {
		if (server.ending) throw new Error(`PostgreSQL ended while starting, with ${server.ending}.`);
		const answer = await execa(join(programs, 'pg_isready'), connection, { reject: false });
		return answer.exitCode === 0;
	};
	await waitUntil('PostgreSQL did not become ready', ready, READY);
	return {
		settings: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: port,
			DB_POSTGRESDB_USER: USER,
			DB_POSTGRESDB_DATABASE: DATABASE,
		},
		query: async (select) => {
			const sql = `SELECT coalesce(json_agg(answer), '[]') FROM (${select}) AS answer`;
			const psql = join(programs, 'psql');
			const { stdout } = await execa(psql, [...connection, '-XAtq', '-c', sql]);
			return JSON.parse(stdout);
		},
		dump: async (file) => {
			await execa(join(programs, 'pg_dump'), [...connection, '--inserts', '-f', file]);
		},
	};
}

async function userOfServer(): Promise<{ uid: number; gid: number } | undefined> {
	if (process.getuid?.() !== 0) return undefined;
	const [uid, gid] = await Promise.all(
		['-u', '-g'].map(async (which) => Number((await execa('id', [which, DEBIAN_USER])).stdout)),
	);
	return { uid, gid };
}
