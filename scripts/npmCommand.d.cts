export function npmCommand(...args: string[]): [command: string, ...args: string[]];
export function explainNpmFailure(
	what: string,
	output: string,
): { message: string; advice: string };
