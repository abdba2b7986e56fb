import { sleep } from 'n8n-workflow';
import { quoting } from '../../../transport/errors/quoting';

const SECRET = `Bearer ${'s3cr3t-'.repeat(200)}`;
const answer = (said: string) => `${said} ${SECRET} ${'word '.repeat(12_000)}`;

const otherWork = async () => await sleep(0);

it('errors that come together leave time for other work', async () => {
	let ended = 0;
	const quotes = Array.from({ length: 40 }, async (_, item) => {
		const quote = await quoting()(answer(`no ${item}`), [SECRET]);
		ended++;
		return quote;
	});
	await otherWork();
	expect(ended).toBeLessThan(quotes.length);
	for (const [item, quote] of (await Promise.all(quotes)).entries()) {
		expect(quote).toMatch(new RegExp(`^no ${item} \\[redacted\\] word `));
	}
});

it('one that comes alone, and is short, waits for nothing', async () => {
	const quote = quoting()('You sent TOKEN-abc-123456.', ['TOKEN-abc-123456']);
	const first = await Promise.race([quote, otherWork()]);
	expect(first).toBe('You sent [redacted].');
});
