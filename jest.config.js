const os = require('node:os');

/** ts-jest for the package's .ts and for the Node-only .cts beside it (sandbox, test support). */
const shared = {
	testEnvironment: 'node',
	transform: {
		'^.+\\.c?ts$': [
			'ts-jest',
			{
				diagnostics: false,
				tsconfig: {
					isolatedModules: true,
					target: 'ES2022',
					module: 'CommonJS',
					esModuleInterop: true,
					resolveJsonModule: true,
					allowImportingTsExtensions: true,
					noEmit: true,
				},
			},
		],
	},
	moduleFileExtensions: ['ts', 'cts', 'js', 'json', 'node'],
};

const MANY_CASES = '\\.(properties|simulation|fuzz)\\.test\\.ts$';

/**
 * `cases`: thousands of cases each, which is where the time goes, so they run without the counters of
 * coverage. `engine`: the built nodes in n8n-core's execution engine. `unit`: everything else.
 */
module.exports = {
	// One more than processors: the engine's tests wait now and then, as n8n does.
	maxWorkers: os.availableParallelism() + 1,
	// A busy machine is slow, not wrong. (Jest reads this here only, not in a project.)
	testTimeout: 30_000,
	// The HTML report would be found by n8n's lint.
	coverageReporters: ['text'],
	collectCoverageFrom: ['{nodes,credentials,services,transport,input}/**/*.ts'],
	projects: [
		{
			...shared,
			displayName: 'cases',
			testRegex: [MANY_CASES],
			coveragePathIgnorePatterns: ['/'],
		},
		{ ...shared, displayName: 'engine', testMatch: ['<rootDir>/test/engine/**/*.test.ts'] },
		{
			...shared,
			displayName: 'unit',
			testMatch: ['<rootDir>/test/**/*.test.ts'],
			testPathIgnorePatterns: ['/test/engine/', '/test/e2e/', MANY_CASES],
		},
	],
};
