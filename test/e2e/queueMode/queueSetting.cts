import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSandbox, type Sandbox } from '../../../sandbox/createSandbox.cts';
import { demoCredentials } from '../../../scripts/demo/demoCredentials.cts';
import { saveCredential } from '../../../scripts/n8n/workflows.cts';
import { provideDebianPrograms } from '../debianPackages.cts';
import type { PartContext } from '../part.cts';
import { TriggerPolls } from '../triggerInN8n/triggerPolls.cts';
import { startPostgres, type PostgresServer } from './postgresServer.cts';
import { QueueN8n } from './queueN8n.cts';
import { startReceiver, type Receiver } from './receiver.cts';
import { startRedis } from './redisServer.cts';

const SEED = 1;
const ENTRIES_PER_MINUTE = 120;
/** Scans in each execution. */
export const URLS_PER_LIST = 7;

/** All that runs in this part. */
export interface QueueSetting {
	n8n: QueueN8n;
	database: PostgresServer;
	sandbox: Sandbox;
	polls: TriggerPolls;
	receiver: Receiver;
	/** Credentials of n8n by their type. */
	credentials: ReadonlyMap<string, { id: string; name: string }>;
}

/** What it takes to start it. */
export type QueueContext = Pick<PartContext, 'host' | 'tarball' | 'folder' | 'say' | 'teardown'>;

/**
 * Starts it all; the console has no entry older than this. What it leaves is in the folder.
 * @param mainSettings n8n settings of the main process alone, as environment variables.
 */
export async function startQueueSetting(
	context: QueueContext,
	mainSettings: Record<string, string> = {},
): Promise<QueueSetting> {
	const { folder, say, teardown } = context;
	const programs = await provideDebianPrograms(['redisServer', 'postgres'], say);
	const polls = new TriggerPolls();
	const sandbox = createSandbox({
		seed: SEED,
		log: polls.note,
		settings: { console: { historyEntries: 0, ratePerMinute: ENTRIES_PER_MINUTE } },
	});
	const { us: scanning, console } = await sandbox.listen();
	teardown.add(async () => {
		await writeFile(join(folder, 'sandbox.log'), sandbox.journal.lines().join('\n'));
		await sandbox.close();
	});
	const receiver = await startReceiver(URLS_PER_LIST, teardown);
	const redis = await startRedis(programs.redisServer, join(folder, 'redis'), teardown);
	const database = await startPostgres(programs.postgres, folder, teardown);
	teardown.add(() => database.dump(join(folder, 'postgres.sql')));

	const services = { ...redis.settings, ...database.settings };
	const n8n = await QueueN8n.create(context, services, mainSettings);
	await n8n.start();
	const credentials = new Map<string, { id: string; name: string }>();
	for (const credential of demoCredentials({ scanning, console, token: sandbox.tokenUrl })) {
		const id = await saveCredential(n8n.main.session, credential);
		credentials.set(credential.type, { id, name: credential.name });
	}
	return { n8n, database, sandbox, polls, receiver, credentials };
}
