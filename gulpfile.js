const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const { Duplex } = require('node:stream');
const { dest, parallel, series, src } = require('gulp');

const clean = () => rm('dist', { recursive: true, force: true });

const compile = () => spawn('tsc', { stdio: 'inherit', shell: true });

/** What is left of a module that holds types only: nothing requires it. */
const NO_CODE =
	/^"use strict";\s*Object\.defineProperty\(exports, "__esModule", \{ value: true \}\);\s*$/;

/** Leaves out what only adds to the size: four spaces for each tab of the sources, and files without code. */
const slim = () =>
	src('dist/**/*.js')
		.pipe(
			Duplex.from(async function* (files) {
				for await (const file of files) {
					const code = file.contents.toString();
					if (NO_CODE.test(code)) {
						await rm(file.path);
						continue;
					}
					const withTabs = code.replace(/^( {4})+/gm, ({ length }) => '\t'.repeat(length / 4));
					yield Object.assign(file, { contents: Buffer.from(withTabs) });
				}
			}),
		)
		.pipe(dest('dist'));

/** What n8n reads beside the compiled code: icons, codex files and output schemas. */
const copyAssets = () =>
	src(['icons/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'], {
		base: '.',
	}).pipe(dest('dist'));

exports.build = series(clean, parallel(compile, copyAssets), slim);
exports.default = exports.build;
