import { mkdir, open, writeFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { join } from 'node:path';
import axios from 'axios';
import execa from 'execa';
import type { Teardown } from '../../../scripts/demo/teardown.cts';
import { freePort } from '../../../scripts/n8n/freePort.cts';
import type { N8nHost } from '../../../scripts/n8n/host.cts';
import { installPinned } from '../../../scripts/n8n/pinnedInstallation.cts';
import { npm } from '../../../scripts/npm.cts';
import type { Say } from '../../../scripts/progress.cts';
import { waitUntil } from '../../../scripts/waitUntil.cts';
import { certificateFor } from './certificate.cts';

const READY = { everyMs: 200, withinMs: 60_000 };
const NOT_LOGGED_IN = 'anybody';

/** An npm registry on this machine, empty at first, that knows no other. */
export interface LocalRegistry {
	port: number;
	/** The file with the certificate that its clients have to trust. */
	certificateFile: string;
	/** Publishes a packed package, as `npm publish` does. */
	publish(tarball: string): Promise<void>;
}

export interface LocalRegistryOptions {
	/** The name under which clients will call it. */
	host: string;
	n8nHost: N8nHost;
	cache: string;
	folder: string;
	say: Say;
	teardown: Teardown;
}

export async function startLocalRegistry(options: LocalRegistryOptions): Promise<LocalRegistry> {
	const { folder, teardown } = options;
	const tools = await installPinned({
		manifests: join(__dirname, 'tools'),
		cache: options.cache,
		name: 'registry-tools',
		what: 'The local npm registry',
		announcement: 'Installing a local npm registry, once for this machine (330 packages, 70 MB)',
		say: options.say,
	});
	await mkdir(folder, { recursive: true });
	const { key, cert } = certificateFor(options.host, tools);
	const certificateFile = join(folder, 'cert.pem');
	await writeFile(join(folder, 'key.pem'), key);
	await writeFile(certificateFile, cert);
	const port = await freePort();
	await writeFile(join(folder, 'config.yaml'), configuration(port));

	const log = await open(join(folder, 'out.log'), 'a');
	const script = join(tools, 'node_modules', 'verdaccio', 'bin', 'verdaccio');
	const child = execa(options.n8nHost.node.binary, [script, '--config', 'config.yaml'], {
		cwd: folder,
		reject: false,
		stdin: 'ignore',
		stdout: log.fd,
		stderr: log.fd,
	});
	teardown.add(async () => {
		child.kill('SIGTERM');
		await child;
	});
	await log.close();
	const httpsAgent = new Agent({ ca: cert });
	const answers = async (): Promise<boolean> => {
		if (child.exitCode !== null) throw new Error(`The registry ended; see ${folder}.`);
		const ping = `https://127.0.0.1:${port}/-/ping`;
		const answer = await axios.get(ping, { httpsAgent, proxy: false }).catch(() => undefined);
		return answer?.status === 200;
	};
	await waitUntil('the registry did not answer', answers, READY);
	return {
		port,
		certificateFile,
		publish: (tarball) => publish(tarball, { port, certificateFile, folder }),
	};
}

/** Nobody has to sign in, and nothing is asked of another registry. */
function configuration(port: number): string {
	return `storage: ./storage
auth:
  htpasswd:
    file: ./htpasswd
    max_users: -1
uplinks: {}
packages:
  '**':
    access: $all
    publish: $anonymous
listen: https://127.0.0.1:${port}
https:
  key: ./key.pem
  cert: ./cert.pem
web:
  enable: false
log: { type: file, path: ./registry.log, level: http }
`;
}

async function publish(
	tarball: string,
	{ port, certificateFile, folder }: { port: number; certificateFile: string; folder: string },
): Promise<void> {
	const registry = `127.0.0.1:${port}/`;
	const settings = join(folder, 'publisher.npmrc');
	// npm publishes only with some token; this registry asks for none.
	const lines = [`registry=https://${registry}`, `//${registry}:_authToken=${NOT_LOGGED_IN}`];
	await writeFile(settings, `${lines.join('\n')}\n`);
	await npm(['publish', tarball, '--ignore-scripts'], {
		cwd: folder,
		what: 'The package in the local registry',
		env: { npm_config_userconfig: settings, npm_config_cafile: certificateFile },
	});
}
