/**
 * `npm test`, `npm start`, `npm run dev` and `npm run test:e2e` begin here, with nothing installed yet:
 * this file and what it imports use only Node's own modules. It checks the Node version, installs what
 * the lock file names, and hands over to the command's own file, which is TypeScript.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDependencies } from './dependencies.mjs';

const OLDEST_NODE = 20;
const COMMANDS = {
	test: 'test.cts',
	start: 'start.cts',
	dev: 'dev.cts',
	e2e: '../test/e2e/main.cts',
};

const scriptsFolder = dirname(fileURLToPath(import.meta.url));

/** @returns {Promise<number>} the exit code */
async function main([command, ...args]) {
	if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
		console.error(
			`This is Node ${process.versions.node}; the project needs Node ${OLDEST_NODE} or newer.\nInstall it from https://nodejs.org and run the command again.`,
		);
		return 1;
	}
	if (!Object.hasOwn(COMMANDS, command)) {
		console.error(
			`Unknown command '${command ?? ''}'. Known: ${Object.keys(COMMANDS).join(', ')}.`,
		);
		return 1;
	}
	if (!(await ensureDependencies(dirname(scriptsFolder)))) return 1;
	const { register } = await import('tsx/cjs/api');
	register();
	const { run } = createRequire(import.meta.url)(join(scriptsFolder, COMMANDS[command]));
	return await run(args);
}

// The command's end is the end of everything: what it left running in the background ends with it.
process.exit(await main(process.argv.slice(2)));
