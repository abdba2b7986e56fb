import { inspect } from 'node:util';

/** An error of a node, as n8n shows and stores it. */
export interface DescribedError {
	name: string;
	message: string;
	description?: string;
	/** HTTP status as text, as NodeApiError has it. */
	httpCode?: string;
	level?: string;
	itemIndex?: number;
	/** What n8n's back-off goes by (rate-limited, credential-invalid, …). */
	failure?: Record<string, unknown>;
	context: Record<string, unknown>;
	/** As n8n passes it on: the error itself from a poll, a plain copy without its cause from an execution. */
	raw: unknown;
	/** All of it, causes and stack included: for asserting what must not be in it. */
	everything(): string;
}

interface ErrorFields {
	name?: string;
	message?: string;
	description?: string | null;
	httpCode?: string | null;
	level?: string;
	failure?: Record<string, unknown>;
	context?: Record<string, unknown>;
}

/** Reads an error of the engine, whatever its class. */
export function describeError(error: unknown): DescribedError {
	const fields = (typeof error === 'object' && error !== null ? error : {}) as ErrorFields;
	const itemIndex = fields.context?.itemIndex;
	return {
		name: fields.name ?? 'Error',
		message: fields.message ?? String(error),
		...(fields.description ? { description: fields.description } : {}),
		...(fields.httpCode ? { httpCode: fields.httpCode } : {}),
		...(fields.level ? { level: fields.level } : {}),
		...(typeof itemIndex === 'number' ? { itemIndex } : {}),
		...(fields.failure ? { failure: { ...fields.failure } } : {}),
		context: { ...fields.context },
		raw: error,
		everything: () =>
			inspect(error, {
				depth: 20,
				maxStringLength: null,
				maxArrayLength: null,
				breakLength: Infinity,
			}),
	};
}
