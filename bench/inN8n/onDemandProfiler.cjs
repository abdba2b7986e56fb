/**
 * Loaded into n8n's process: SIGUSR2 starts a processor profile, a second one ends it and writes it to
 * the file that CPU_PROFILE names. Plain JavaScript, since it runs there. It costs nothing until then.
 */
const { writeFileSync, renameSync } = require('node:fs');

const EVERY_MICROSECONDS = 500;
const file = process.env.CPU_PROFILE;

// Not in the processes that n8n starts.
if (file && process.argv[2] === 'start') {
	let session;
	process.on('SIGUSR2', () => {
		if (session) {
			session.post('Profiler.stop', (_error, { profile }) => {
				writeFileSync(`${file}.part`, JSON.stringify(profile));
				renameSync(`${file}.part`, file);
				session.disconnect();
				session = undefined;
			});
			return;
		}
		const { Session } = require('node:inspector');
		session = new Session();
		session.connect();
		session.post('Profiler.enable');
		session.post('Profiler.setSamplingInterval', { interval: EVERY_MICROSECONDS });
		session.post('Profiler.start');
	});
}
