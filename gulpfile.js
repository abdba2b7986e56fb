const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const { dest, parallel, series, src } = require('gulp');

const clean = () => rm('dist', { recursive: true, force: true });

const compile = () => spawn('tsc', { stdio: 'inherit', shell: true });

/** What n8n reads beside the compiled code: icons, codex files and output schemas. */
const copyAssets = () =>
	src(['icons/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'], {
		base: '.',
	}).pipe(dest('dist'));

exports.build = series(clean, parallel(compile, copyAssets));
exports.default = exports.build;
