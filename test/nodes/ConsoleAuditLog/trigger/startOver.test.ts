import { macrotask } from '../../../support/macrotask.cts';
import { active, entry, MINUTE, state } from '../support/triggerOnLog';

const log = [entry('a', 0), entry('b', 1000), entry('c', 6000)];

/** A trigger with a poll that waits for its answer. */
async function whilePolling(startFrom: string) {
	const { console, trigger } = active(log, { startFrom: 'oldest' }, 5000);
	let answer = () => {};
	console.troubles.push(new Promise((resolve) => (answer = resolve)));
	const slow = trigger.ids();
	// Until its call is under way.
	while (console.urls.length === 0) await macrotask();
	trigger.parameters = { startFrom, options: { startOver: 'again' } };
	return { console, trigger, slow, answer };
}

describe('Start Over that is published while a poll is under way', () => {
	test('begins at once, and the poll delivers nothing and stores nothing any more', async () => {
		const { trigger, slow, answer } = await whilePolling('oldest');
		expect(await trigger.ids()).toEqual(['a', 'b']);
		answer();
		expect(await slow).toEqual([]);
		expect(state(trigger).scope).toContain('again');
		expect(await trigger.poll()).toBeNull();
	});

	test('Now: brings what appears from then on', async () => {
		const { console, trigger, slow, answer } = await whilePolling('now');
		expect(await trigger.poll()).toBeNull();
		answer();
		expect(await slow).toEqual([]);
		console.now += MINUTE;
		expect(await trigger.ids()).toEqual(['c']);
	});
});

test('Start Over, Now: loses nothing in durable mode when n8n restarts before the first tick', async () => {
	const { console, trigger } = active(log, { startFrom: 'oldest' }, 5000);
	expect(await trigger.durableIds()).toEqual(['a', 'b']);
	trigger.parameters = { startFrom: 'now', options: { startOver: 'again' } };
	expect(await trigger.durableIds({ isActivation: true })).toEqual([]);
	trigger.restarts++;
	console.now += MINUTE;
	expect(await trigger.durableIds({ isDropped: true })).toEqual([]);
	trigger.restarts++;
	expect(await trigger.durableIds()).toEqual(['c']);
	expect(await trigger.durableIds()).toEqual([]);
	expect(JSON.stringify(trigger.workflowData)).not.toContain('seen');
});
