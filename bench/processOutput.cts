import { createInterface } from 'node:readline';

/** The first line that a process writes: by it a server tells where it listens. */
export async function firstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
	if (!stream) throw new Error('The process has no output.');
	for await (const line of createInterface({ input: stream })) return line;
	throw new Error('The process ended before it said anything.');
}
