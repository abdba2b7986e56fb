/** A failure whose text is all that the user needs: what happened, and what to do about it. */
export class ActionableError extends Error {
	constructor(
		message: string,
		readonly advice: string,
	) {
		super(message);
		this.name = 'ActionableError';
	}
}

/** The lines to print for anything that was thrown; a stack only for what nobody expected. */
export function describeFailure(error: unknown): string {
	if (error instanceof ActionableError) return `${error.message}\n${error.advice}`;
	if (error instanceof Error) return error.stack ?? error.message;
	return String(error);
}
