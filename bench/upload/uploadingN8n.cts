import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { demoCredentials } from '../../scripts/demo/demoCredentials.cts';
import { demoSignIn } from '../../scripts/demo/startDemo.cts';
import type { Teardown } from '../../scripts/demo/teardown.cts';
import { placeCommunityPackage } from '../../scripts/n8n/communityPackage.cts';
import type { N8nHost } from '../../scripts/n8n/host.cts';
import { N8nInstance } from '../../scripts/n8n/n8nInstance.cts';
import { saveCredential } from '../../scripts/n8n/workflows.cts';
import type { Tarball } from '../../scripts/package/tarball.cts';
import type { SandboxProcess } from '../sandboxProcess.cts';
import type { UploadSetting } from './measureUpload.cts';

/** Where n8n keeps binary data: on disk, or (`default`) within the execution's data in memory. */
export type StorageMode = 'filesystem' | 'default';

export interface UploadingN8nOptions {
	host: N8nHost;
	tarball: Tarball;
	sandbox: SandboxProcess;
	/** Empty folder for n8n and the files that its workflows may read. */
	folder: string;
	mode: StorageMode;
	teardown: Teardown;
}

/** A real n8n with the package installed, of which each measurement gets a fresh process. */
export class UploadingN8n {
	private constructor(
		private readonly n8n: N8nInstance,
		private readonly report: string,
		private readonly sandbox: SandboxProcess,
		/** The folder that its workflows may read. */
		readonly files: string,
	) {}

	static async prepare(options: UploadingN8nOptions): Promise<UploadingN8n> {
		const { host, tarball, sandbox, folder, mode, teardown } = options;
		const userFolder = join(folder, 'user');
		const files = join(folder, 'files');
		const report = join(folder, 'memory.ndjson');
		await mkdir(files, { recursive: true });
		await placeCommunityPackage(userFolder, tarball);
		const n8n = await N8nInstance.create({
			host,
			userFolder,
			settings: {
				N8N_DEFAULT_BINARY_DATA_MODE: mode,
				N8N_RESTRICT_FILE_ACCESS_TO: files,
				// n8n shows no execution with more data than that, and a file in memory is part of it.
				EXECUTIONS_DATA_MAX_DISPLAY_SIZE: String(2 ** 31),
				NODE_OPTIONS: `--require ${join(__dirname, 'reportMemory.cjs')}`,
				MEMORY_REPORT: report,
			},
		});
		teardown.add(() => n8n.kill());
		return new UploadingN8n(n8n, report, sandbox, files);
	}

	/** Runs what is measured in a process that has just been started, and ends the process. */
	async inFreshProcess<T>(measure: (setting: UploadSetting) => Promise<T>): Promise<T> {
		const { n8n, report, sandbox } = this;
		await n8n.start();
		try {
			await n8n.session.signIn(demoSignIn);
			const { us: scanning, console } = sandbox.addresses;
			const [details] = demoCredentials({ scanning, console, token: console });
			const id = await saveCredential(n8n.session, details);
			return await measure({ n8n, report, sandbox, credential: { id, name: details.name } });
		} finally {
			await n8n.stop();
		}
	}
}
