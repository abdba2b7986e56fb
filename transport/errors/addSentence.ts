import type { NodeApiError } from 'n8n-workflow';

/** Says something before what the error already says of what to do. */
export function addSentence(error: NodeApiError, sentence: string): void {
	error.description = [sentence, error.description].filter(Boolean).join(' ');
}
