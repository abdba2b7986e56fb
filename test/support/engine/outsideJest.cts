import type * as NodeModule from 'node:module';
import { runInThisContext } from 'node:vm';

/**
 * Node as it is outside of jest. Inside, `process` is a copy, and `require` gives every test file its
 * own copy of every module, in a realm where `error instanceof Error` is false for errors of Node
 * itself. The nodes under test are to see what they see in n8n; and n8n-core then loads once per jest
 * worker instead of once per test file. Outside of jest these are simply `process` and `require`.
 */
const outside = runInThisContext('globalThis') as typeof globalThis;

export const nodeProcess = outside.process;

/** The globals that the nodes see. */
export const nodeGlobals: {
	Date: DateConstructor;
	AbortSignal: typeof AbortSignal;
	performance: { now(): number };
} = outside;

/** Node's own `require`, resolving as from the given file. */
export function nodeRequireFrom(file: string): NodeJS.Require {
	const { getBuiltinModule } = nodeProcess as unknown as {
		/** Since Node 20.16; missing in older type definitions. */
		getBuiltinModule(id: 'node:module'): typeof NodeModule;
	};
	return getBuiltinModule('node:module').createRequire(file);
}

/** Node's own `require`, resolving as from here. */
export const nodeRequire = nodeRequireFrom(__filename);

/** A value that all test files of one process share, as they share the modules outside of jest. */
export function onePerProcess<T>(name: string, create: () => T): T {
	const key = Symbol.for(`content-scan.test.${name}`);
	const owner = nodeProcess as unknown as Record<symbol, T | undefined>;
	return (owner[key] ??= create());
}
