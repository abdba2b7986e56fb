import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

export type Hint = Pick<NodeExecutionHint, 'message' | 'type'>;

/**
 * Shows hints beside the node's output. Where an AI agent calls the node, n8n 1.112 and older cannot, and what
 * the call has done must not fail for that.
 */
export function addHints(context: IExecuteFunctions, hints: Hint[]): void {
	if (hints.length === 0) return;
	const host: Partial<IExecuteFunctions> = context;
	host.addExecutionHints?.(...hints.map((hint) => ({ ...hint, location: 'outputPane' as const })));
}
