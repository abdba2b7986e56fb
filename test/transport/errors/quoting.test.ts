import { sleep } from 'n8n-workflow';
import { systemClock } from '../../../transport/clock';
import { quoting } from '../../../transport/errors/quoting';

const SECRET = `Bearer ${'s3cr3t-'.repeat(200)}`;
const answer = (said: string) => `${said} ${SECRET} ${'word '.repeat(2000)}`;

/** What was quoted so far, in its order. */
function quoteAll(count: number, quotedBy = () => quoting()) {
	const ended: string[] = [];
	const quotes = Array.from({ length: count }, async (_, item) => {
		ended.push(await quotedBy()(answer(`no ${item}`), [SECRET]));
	});
	return { ended, all: Promise.all(quotes) };
}

describe('errors that come together', () => {
	const one = quoting();
	it.each([
		['one credential', () => one],
		['many', () => quoting()],
	])('of %s leave time for other work', async (_, quotedBy) => {
		const { ended, all } = quoteAll(40, quotedBy);
		await sleep(0);
		expect(ended.length).toBeLessThan(40);
		await all;
		expect(ended.map((quote) => /^no (\d+) \[redacted\] word /.exec(quote)?.[1])).toEqual(
			Array.from({ length: 40 }, (__, item) => String(item)),
		);
	});

	it('do not keep that of another credential waiting until they are all told', async () => {
		const { ended, all } = quoteAll(40, () => one);
		await sleep(0);
		expect(await quoting()('not a URL', [SECRET])).toBe('not a URL');
		expect(ended.length).toBeLessThan(20);
		await all;
	});

	it('are told without a quotation where they have waited for seconds', async () => {
		const quoted = quoting();
		const now = jest.spyOn(systemClock, 'monotonic').mockReturnValue(0);
		const quote = quoted('not a URL', [SECRET]);
		const id = quoted('scan 1', [SECRET], { isVital: true });
		now.mockReturnValue(5001);
		expect(await quote).toBe('…');
		expect(await id).toBe('scan 1');
		now.mockRestore();
		expect(await quoted('not a URL', [SECRET])).toBe('not a URL');
	});

	it('with IDs of scans of many executions leave time for other work, too, and name each', async () => {
		const ended: string[] = [];
		const quotes = Array.from({ length: 100 }, async (_, scan) => {
			ended.push(await quoting()(`scan ${scan}`, [SECRET], { isVital: true }));
		});
		await sleep(0);
		expect(ended.length).toBeLessThan(100);
		await Promise.all(quotes);
		expect(ended).toEqual(Array.from({ length: 100 }, (_, scan) => `scan ${scan}`));
	});

	it('leave those with IDs of scans the way', async () => {
		const { ended, all } = quoteAll(40, () => quoting());
		await sleep(0);
		expect(await quoting()('scan 1', [SECRET], { isVital: true })).toBe('scan 1');
		expect(ended.length).toBeLessThan(20);
		await all;
	});

	it('do not keep that of another credential waiting for longer, either', async () => {
		let passedMs = 0;
		// Each look at the clock finds that some time has gone.
		const clock = {
			...systemClock,
			monotonic: () => (passedMs += 60),
			sleep: async () => await sleep(0),
		};
		const quotes = await Promise.all(
			Array.from({ length: 40 }, async () => await quoting(clock)('no', [SECRET])),
		);
		expect(quotes[0]).toBe('no');
		expect(quotes.at(-1)).toBe('…');
	});
});
