/**
 * Words of others, for the message of an error that is no cancellation: n8n shows an execution as canceled
 * by this word in it (workflow-execute.js), be it part of a file's or a host's name.
 */
export function withoutCanceledWord(text: string): string {
	return text.replaceAll('canceled', 'cancelled');
}
