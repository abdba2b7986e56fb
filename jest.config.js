const os = require('node:os');

/** ts-jest for the package's .ts and for the Node-only .cts beside it (sandbox, test support). */
const shared = {
	testEnvironment: 'node',
	// A busy machine is slow, not wrong.
	testTimeout: 30_000,
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

/** `engine`: the built nodes in n8n-core's execution engine. `unit`: everything else. */
module.exports = {
	maxWorkers: os.availableParallelism(),
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	projects: [
		{ ...shared, displayName: 'unit', testMatch: ['<rootDir>/test/**/*.test.ts'], testPathIgnorePatterns: ['/test/engine/', '/test/e2e/'] },
		{ ...shared, displayName: 'engine', testMatch: ['<rootDir>/test/engine/**/*.test.ts'] },
	],
};
