import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as N8nCore from 'n8n-core';
import type * as N8nWorkflow from 'n8n-workflow';
import type { Container } from '@n8n/di';
import type { GlobalConfig } from '@n8n/config';
import { attachLog } from './capturedLog.cts';
import type { Logger } from './capturedLog.cts';
import { nodeProcess, nodeRequire, nodeRequireFrom, onePerProcess } from './outsideJest.cts';

/** n8n's own modules, as a running n8n has them. */
export interface Engine {
	core: typeof N8nCore;
	/** The n8n-workflow that the engine and the nodes under test share: use it for `instanceof`. */
	workflow: typeof N8nWorkflow;
	container: typeof Container;
	logger: Logger;
	/** Loads a module as the engine does, outside of jest. */
	require: NodeJS.Require;
}

/** n8n's data folder is a temporary one, removed when the process ends. */
export function engine(): Engine {
	return onePerProcess('engine', startEngine);
}

function startEngine(): Engine {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-engine-'));
	nodeProcess.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	return withEnvironment(
		{
			NODE_ENV: 'test',
			N8N_USER_FOLDER: folder,
			N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
			N8N_LOG_LEVEL: 'debug',
			N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
			N8N_DIAGNOSTICS_ENABLED: 'false',
		},
		() => {
			const core = nodeRequire('n8n-core') as typeof N8nCore;
			const workflow = nodeRequire('n8n-workflow') as typeof N8nWorkflow;
			const requireAsCore = nodeRequireFrom(nodeRequire.resolve('n8n-core'));
			const di = requireAsCore('@n8n/di') as { Container: typeof Container };
			const config = requireAsCore('@n8n/config') as { GlobalConfig: typeof GlobalConfig };
			const common = requireAsCore('@n8n/backend-common') as { Logger: new () => Logger };
			// The log goes to the tests, not to the console.
			di.Container.get(config.GlobalConfig).logging.outputs = [];
			const logger = di.Container.get(common.Logger);
			attachLog(logger);
			// What reads the environment when it is made has to be made now.
			di.Container.get(core.InstanceSettings);
			di.Container.get(core.BinaryDataConfig);
			useEncryptionKey(core, di.Container);
			return { core, workflow, container: di.Container, logger, require: requireAsCore };
		},
	);
}

/** The key that n8n keeps in its database, which encrypts the credentials. */
function useEncryptionKey(core: typeof N8nCore, container: typeof Container): void {
	const key: N8nCore.KeyInfo = {
		id: randomUUID(),
		value: container.get(core.Cipher).encryptDEKWithInstanceKey(randomBytes(32).toString('hex')),
		algorithm: 'aes-256-gcm',
		format: 'prefixed',
	};
	container.get(core.EncryptionKeyProxy).setProvider({
		getActiveKey: async () => key,
		getKeyById: async () => key,
		getLegacyKey: async () => key,
	});
}

/** The variables are n8n's only while it starts: a test that starts processes must not pass them on. */
function withEnvironment<T>(variables: Record<string, string>, action: () => T): T {
	const before = { ...nodeProcess.env };
	Object.assign(nodeProcess.env, variables);
	try {
		return action();
	} finally {
		for (const name of Object.keys(variables)) {
			const value = before[name];
			if (value === undefined) delete nodeProcess.env[name];
			else nodeProcess.env[name] = value;
		}
	}
}

/**
 * A copy whose objects belong to the engine's realm: n8n asks some of its input whether its
 * prototype is `Object.prototype`.
 */
export function intoEngine<T>(value: T): T {
	return structuredClone(value);
}

/** What n8n would store and hand to the next node, as plain objects of the test's own realm. */
export function asStored<T>(value: T): T {
	const text = JSON.stringify(value) as string | undefined;
	return text === undefined ? value : (JSON.parse(text) as T);
}

// Loading takes 1 to 2 s, once per process. It happens when a test file imports the engine, where no
// test's time limit runs.
engine();
