/**
 * Loads a package folder as n8n does when it starts, and prints the milliseconds as JSON. Arguments:
 * the folder that holds n8n's node_modules; the package folder. Plain JavaScript: nothing else is
 * loaded into the process before.
 */
const { join } = require('node:path');
const { createRequire } = require('node:module');

const [host, folder] = process.argv.slice(2);
const n8nRequire = createRequire(join(host, 'node_modules', 'n8n', 'package.json'));
const { LazyPackageDirectoryLoader } = n8nRequire('n8n-core');

const begun = performance.now();
new LazyPackageDirectoryLoader(folder).loadAll().then(() => {
	const milliseconds = performance.now() - begun;
	process.stdout.write(`${JSON.stringify(milliseconds)}\n`, () => process.exit(0));
});
