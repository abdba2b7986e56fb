import type { INode } from 'n8n-workflow';
import { BARE_UPLOADER, bareNodeSetting } from '../inN8n/bareNode.cts';
import { BenchN8n } from '../inN8n/benchN8n.cts';
import type { Bench } from '../measurement.cts';
import type { SandboxProcess } from '../sandboxProcess.cts';
import { measureUpload, type UploadRun } from './measureUpload.cts';
import type { TestFile } from './testFile.cts';
import { bareUploaderNode, httpRequestNode, scanFileNode } from './uploadWorkflow.cts';

/** More than either needs. */
export const CALLS_PER_MINUTE = 100_000;

export const UPLOADERS = ['Scan File', 'bare uploader', 'HTTP Request'] as const;

export type Uploader = (typeof UPLOADERS)[number];

/** A fresh n8n that uploads from its storage on disk to a sandbox. */
export class UploadingN8n {
	private constructor(
		private readonly n8n: BenchN8n,
		private readonly sandbox: SandboxProcess,
		private readonly nodes: Record<Uploader, INode>,
	) {}

	/** @param folder Of the files to upload. */
	static async start(bench: Bench, sandbox: SandboxProcess, folder: string): Promise<UploadingN8n> {
		const n8n = await BenchN8n.start(bench, {
			...(await bareNodeSetting([BARE_UPLOADER], await bench.folder())),
			N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
			N8N_RESTRICT_FILE_ACCESS_TO: folder,
		});
		const { us } = sandbox.addresses;
		const credential = await n8n.scanCredential(us, CALLS_PER_MINUTE);
		return new UploadingN8n(n8n, sandbox, {
			'Scan File': scanFileNode(credential),
			'bare uploader': bareUploaderNode(credential),
			'HTTP Request': httpRequestNode(us),
		});
	}

	/** @throws as `measureUpload` does */
	async upload(uploader: Uploader, file: TestFile): Promise<UploadRun> {
		return await measureUpload(this.n8n.n8n, this.sandbox, file, this.nodes[uploader]);
	}

	async stop(): Promise<void> {
		await this.n8n.n8n.stop();
	}
}
