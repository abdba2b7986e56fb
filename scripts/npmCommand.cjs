const { basename } = require('node:path');

/** Codes by which npm says that it could not reach its registry. */
const UNREACHABLE =
	/\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED|FETCH_ERROR)\b/;
const NOT_THERE = /\b(E404|ETARGET)\b/;
const NO_SPACE = /\bENOSPC\b/;

/** The npm that started this process, or the one on the PATH: `[command, ...args]`. */
function npmCommand(...args) {
	const starter = process.env.npm_execpath;
	if (starter && basename(starter) === 'npm-cli.js') return [process.execPath, starter, ...args];
	return ['npm', ...args];
}

/** Says in words why npm failed, from its output, and what to do. */
function explainNpmFailure(what, output) {
	if (UNREACHABLE.test(output)) {
		return {
			message: `${what} could not be installed: the npm registry does not answer.`,
			advice:
				"Check the network, the proxy and 'npm config get registry', then run the command again.",
		};
	}
	if (NOT_THERE.test(output)) {
		return {
			message: `${what} could not be installed: the npm registry lacks one of the packages.`,
			advice:
				"Compare 'npm config get registry' with the public registry; a mirror may be incomplete.",
		};
	}
	if (NO_SPACE.test(output)) {
		return {
			message: `${what} could not be installed: the disk is full.`,
			advice: 'Make room and run the command again.',
		};
	}
	return {
		message: `${what} could not be installed.`,
		advice: 'The reason is in the output of npm above; run the command again when it is removed.',
	};
}

module.exports = { npmCommand, explainNpmFailure };
