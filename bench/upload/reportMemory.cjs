/**
 * Loaded into n8n's process: ten times a second, a line of JSON with the bytes of its buffers, garbage
 * that was not collected yet included, into the file that MEMORY_REPORT names. Plain JavaScript, since
 * it runs there.
 */
const { appendFile } = require('node:fs');

const EVERY_MS = 100;
const file = process.env.MEMORY_REPORT;

// Not in the processes that n8n starts.
if (file && process.argv[2] === 'start') {
	setInterval(() => {
		const { arrayBuffers } = process.memoryUsage();
		appendFile(file, `${JSON.stringify({ atMs: Date.now(), buffers: arrayBuffers })}\n`, () => {});
	}, EVERY_MS).unref();
}
