import { macrotask } from '../support/macrotask.cts';
import { readAnswer } from '../../transport/readAnswer';

function answerOf(text: string) {
	async function* content() {
		yield new TextEncoder().encode(text);
	}
	const body = Object.assign(content(), { destroy: () => undefined, on: () => undefined });
	return { statusCode: 200, headers: {}, body };
}

const OPTIONS = {
	url: 'https://console.example.com/x',
	milliseconds: 60_000,
	breakOff: () => undefined,
	tokens: [],
};

it('lets other work be done between long answers that come at once', async () => {
	const events: string[] = [];
	let going = true;
	const ticks = (async () => {
		while (going) {
			events.push('other work');
			await macrotask();
		}
	})();
	const text = JSON.stringify('x'.repeat(300_000));
	const reading = Array.from({ length: 10 }, async () => {
		const read = await readAnswer(answerOf(text), OPTIONS);
		events.push(read.ok ? 'read' : 'failed');
	});
	await Promise.all(reading);
	going = false;
	await ticks;
	expect(events.filter((event) => event === 'read')).toHaveLength(10);
	for (let at = 1; at < events.length; at++) {
		expect([events[at - 1], events[at]]).not.toStrictEqual(['read', 'read']);
	}
});

it('goes on after a long answer that is not JSON', async () => {
	const broken = `[${'0,'.repeat(200_000)}`;
	const read = [broken, JSON.stringify('x'.repeat(300_000))].map(
		async (text) => await readAnswer(answerOf(text), OPTIONS),
	);
	expect(await Promise.all(read)).toMatchObject([
		{ ok: false, failure: { kind: 'notJson' } },
		{ ok: true },
	]);
});
