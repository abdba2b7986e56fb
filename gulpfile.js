const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const { Duplex } = require('node:stream');
const { dest, parallel, series, src } = require('gulp');

const clean = () => rm('dist', { recursive: true, force: true });

const compile = () => spawn('tsc', { stdio: 'inherit', shell: true });

/** As in the sources: the four spaces of the compiler would add 2 KB to the package. */
const indentWithTabs = () =>
	src('dist/**/*.js')
		.pipe(
			Duplex.from(async function* (files) {
				for await (const file of files) {
					const code = file.contents
						.toString()
						.replace(/^( {4})+/gm, ({ length }) => '\t'.repeat(length / 4));
					yield Object.assign(file, { contents: Buffer.from(code) });
				}
			}),
		)
		.pipe(dest('dist'));

/** What n8n reads beside the compiled code: icons, codex files and output schemas. */
const copyAssets = () =>
	src(['icons/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'], {
		base: '.',
	}).pipe(dest('dist'));

exports.build = series(clean, parallel(compile, copyAssets), indentWithTabs);
exports.default = exports.build;
