const { series, watch } = require('gulp');
const { rebuild } = require('../../gulpfile.js');

const SOURCES = [
	'nodes/**',
	'credentials/**',
	'services/**',
	'transport/**',
	'input/**',
	'icons/**',
];

/**
 * Builds `dist/` again whenever a source has changed, and then calls `rebuilt`. What cannot be built is
 * shown, and the next change is waited for.
 */
function watchSources(root, rebuilt) {
	const finished = async () => await rebuilt();
	const watcher = watch(SOURCES, { cwd: root }, series(rebuild, finished));
	return { close: async () => await watcher.close() };
}

module.exports = { watchSources };
