import { Teardown } from '../../scripts/demo/teardown.cts';

describe('the teardown', () => {
	it('ends things in reverse order', async () => {
		const ended: string[] = [];
		const teardown = new Teardown();
		for (const name of ['sandbox', 'n8n']) teardown.add(async () => void ended.push(name));
		await teardown.run();

		expect(ended).toEqual(['n8n', 'sandbox']);
	});

	it('ends everything although one fails, and says so', async () => {
		const sandbox = jest.fn(async () => {});
		const teardown = new Teardown();
		teardown.add(sandbox);
		teardown.add(async () => await Promise.reject(new Error('n8n does not end')));

		await expect(teardown.run()).rejects.toThrow('n8n does not end');
		expect(sandbox).toHaveBeenCalledTimes(1);
	});

	it('lets nothing start any more once it has begun', async () => {
		const teardown = new Teardown();
		await teardown.run();

		expect(() => teardown.add(async () => {})).toThrow('everything is being ended');
	});

	it('runs once: a second call waits for the first', async () => {
		const teardown = new Teardown();
		const ended: string[] = [];
		let endSecond = () => {};
		teardown.add(async () => {
			ended.push('first');
		});
		teardown.add(
			() =>
				new Promise((resolve) => {
					endSecond = () => {
						ended.push('second');
						resolve();
					};
				}),
		);
		const both = [teardown.run(), teardown.run()];
		await Promise.resolve();
		expect(ended).toStrictEqual([]);
		endSecond();
		await Promise.all(both);
		expect(ended).toStrictEqual(['second', 'first']);
	});
});
