import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { addHints } from '../../../nodes/common/addHints';

const HINTS = [{ message: 'a' }, { message: 'b', type: 'warning' as const }];

/** As n8n's: it needs its `this`. */
class Context {
	readonly shown: NodeExecutionHint[] = [];

	addExecutionHints(...hints: NodeExecutionHint[]) {
		this.shown.push(...hints);
	}
}

it('shows hints beside the output', () => {
	const context = new Context();
	addHints(context as unknown as IExecuteFunctions, []);
	addHints(context as unknown as IExecuteFunctions, HINTS);
	expect(context.shown).toEqual(HINTS.map((hint) => ({ ...hint, location: 'outputPane' })));
});

it('shows none where an AI agent of n8n 1.112 or older calls the node', () => {
	expect(() => addHints({} as IExecuteFunctions, HINTS)).not.toThrow();
});
