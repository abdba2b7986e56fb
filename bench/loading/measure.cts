import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import execa from 'execa';
import { unpack } from '../../scripts/package/tarball.cts';
import { alternate, median, type Contender } from '../comparison/contenders.cts';
import type { Bench, Outcome } from '../measurement.cts';
import { valueFinding } from '../results/finding.cts';

const ROUNDS = { full: 15, quick: 5 };
const MOST_MS = 30;

/** What the package adds to n8n's start. */
export async function measureLoading(bench: Bench): Promise<Outcome> {
	const folder = join(await bench.folder(), 'loading');
	const [own, empty] = [join(folder, 'package'), join(folder, 'empty')];
	await unpack(bench.tarball.file, own);
	await mkdir(empty);
	const manifest = {
		name: 'n8n-nodes-empty',
		version: '1.0.0',
		n8n: { nodes: [], credentials: [] },
	};
	await writeFile(join(empty, 'package.json'), JSON.stringify(manifest));

	const loading = (name: string, packageFolder: string): Contender => ({
		name,
		run: async () => ({ milliseconds: await load(bench, packageFolder) }),
	});
	const contenders = [loading('this package', own), loading('an empty package', empty)];
	const rounds = bench.quick ? ROUNDS.quick : ROUNDS.full;
	await alternate(contenders, 1, () => {});
	const { whole } = await alternate(contenders, rounds, () => {});
	const [this_, nothing] = contenders.map(({ name }) => whole[name]);
	const added = this_.map((milliseconds, round) => milliseconds - nothing[round]);
	const spread = `${Math.min(...added).toFixed(1)} to ${Math.max(...added).toFixed(1)} ms`;
	return {
		findings: [
			valueFinding('more than an empty package', median(added), 'ms', { atMost: MOST_MS }),
		],
		details: `In ${rounds} fresh processes each, in turns, with the loader that n8n has for it; the difference was
${spread}. The empty package takes ${median(nothing).toFixed(1)} ms.`,
	};
}

async function load({ host }: Bench, folder: string): Promise<number> {
	const script = join(__dirname, 'loadPackage.cjs');
	const { stdout } = await execa(host.node.binary, [script, host.folder, folder], {
		// As n8n sets it, so that the nodes find n8n-workflow.
		env: { NODE_PATH: join(host.folder, 'node_modules'), NODE_ENV: 'production' },
		stdin: 'ignore',
	});
	return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as number;
}
