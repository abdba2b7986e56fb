/**
 * `npm test`, `npm start`, `npm run dev` and `npm run test:e2e` begin here, with nothing installed yet:
 * this file uses only Node's own modules. It checks the Node version, installs what the lock file names,
 * and hands over to the command's own file, which is TypeScript.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 20;
const COMMANDS = {
	test: 'test.cts',
	start: 'start.cts',
	dev: 'dev.cts',
	e2e: '../test/e2e/main.cts',
};

const scripts = dirname(fileURLToPath(import.meta.url));
const root = dirname(scripts);

/** The packages of a lock file; none when there is no such file. */
function packagesIn(...path) {
	try {
		return JSON.parse(readFileSync(join(root, ...path), 'utf8')).packages;
	} catch (error) {
		if (error.code === 'ENOENT') return {};
		throw error;
	}
}

/** Compares what npm noted at the end of its last installation with the lock file. */
function isInstalled() {
	const present = packagesIn('node_modules', '.package-lock.json');
	return Object.entries(packagesIn('package-lock.json'))
		.filter(([path]) => path !== '')
		.every(([path, { version, optional }]) =>
			present[path] ? present[path].version === version : optional === true,
		);
}

function install() {
	console.log(
		'Installing the development dependencies (about 1,200 packages, one to two minutes) …',
	);
	const { status } = spawnSync('npm ci --prefer-offline --no-audit --no-fund --loglevel=error', {
		cwd: root,
		shell: true,
		stdio: ['ignore', 'inherit', 'inherit'],
	});
	if (status !== 0) console.error('They could not be installed; npm says why above.');
	return status === 0;
}

/** @returns {Promise<number>} the exit code */
async function main([command, ...args]) {
	if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
		console.error(
			`This is Node ${process.versions.node}; the project needs Node ${OLDEST_NODE} or newer.\nInstall it from https://nodejs.org and run the command again.`,
		);
		return 1;
	}
	if (!isInstalled() && !install()) return 1;
	const { register } = await import('tsx/cjs/api');
	register();
	const { run } = createRequire(import.meta.url)(join(scripts, COMMANDS[command]));
	return await run(args);
}

// The command's end is the end of everything: what it left running in the background ends with it.
process.exit(await main(process.argv.slice(2)));
