import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { explainNpmFailure, npmCommand } from './npmCommand.cjs';

const PROGRESS_INTERVAL_MS = 15_000;

/**
 * Installs the development dependencies when they are missing or differ from the lock file.
 * @param {string} root folder of the clone
 * @returns {Promise<boolean>} whether they are in place; if not, the reason has been printed
 */
export async function ensureDependencies(root) {
	if (await isInstalled(root)) return true;
	console.log(
		'Installing the development dependencies (about 1,100 packages, one to two minutes) …',
	);
	const started = Date.now();
	const seconds = () => Math.round((Date.now() - started) / 1000);
	const ticker = setInterval(
		() => console.log(`  … still installing, ${seconds()} s`),
		PROGRESS_INTERVAL_MS,
	);
	const { code, output } = await npmCi(root).finally(() => clearInterval(ticker));
	if (code === 0) {
		console.log(`Installed in ${seconds()} s.`);
		return true;
	}
	const { message, advice } = explainNpmFailure('The development dependencies', output);
	console.error(`${output.trim()}\n\n${message}\n${advice}`);
	return false;
}

/** Compares what npm noted at the end of its last installation with the lock file. */
async function isInstalled(root) {
	const [wanted, present] = await Promise.all([
		readPackages(join(root, 'package-lock.json')),
		readPackages(join(root, 'node_modules', '.package-lock.json')),
	]);
	if (!present) return false;
	return Object.entries(wanted).every(([path, { version, optional }]) => {
		if (path === '') return true;
		return present[path] ? present[path].version === version : optional === true;
	});
}

/** The `packages` of a lock file; `undefined` when there is none. */
async function readPackages(file) {
	try {
		return JSON.parse(await readFile(file, 'utf8')).packages;
	} catch (error) {
		if (error.code === 'ENOENT') return undefined;
		throw error;
	}
}

function npmCi(root) {
	const [command, ...args] = npmCommand('ci', '--prefer-offline', '--loglevel=error');
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
		let output = '';
		child.stdout.on('data', (chunk) => (output += chunk));
		child.stderr.on('data', (chunk) => (output += chunk));
		child.on('error', reject);
		child.on('close', (code) => resolve({ code, output }));
	});
}
