import type { Mode } from './modelN8n';
import { ModelN8n } from './modelN8n';

const MINUTE = 60_000;
const TWO_DAYS = 48 * 60 * MINUTE;

describe.each<Mode>(['default', 'durable'])('in %s mode', (mode) => {
	it.each([TWO_DAYS, -TWO_DAYS])(
		'a batch whose execution is running does not come again when the clock is set by %i ms',
		async (byMs) => {
			const n8n = new ModelN8n(mode, 'finished', 5);
			await n8n.activate(false);
			n8n.work = { ending: 'success', takes: 390_000 };
			n8n.append(5, 0);
			n8n.tick();
			await n8n.pass(5 * MINUTE);
			n8n.clock.set(n8n.clock.now() + byMs);
			n8n.tick();
			await n8n.pass(MINUTE);
			await n8n.settle();
			expect([n8n.missing, n8n.faults]).toEqual([[], []]);
		},
	);
});
