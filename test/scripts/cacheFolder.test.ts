import { cacheFolder } from '../../scripts/n8n/cacheFolder.cts';

describe('the folder where n8n is kept', () => {
	it("lies in the user's cache folder", async () => {
		const { path } = await cacheFolder({ XDG_CACHE_HOME: '/users/cache' });

		expect(path).toBe('/users/cache/n8n-nodes-content-scan');
	});

	it('falls back to .cache, also when XDG_CACHE_HOME is no absolute path', async () => {
		const { path } = await cacheFolder({ XDG_CACHE_HOME: 'relative' });

		expect(path).toMatch(/\/\.cache\/n8n-nodes-content-scan$/);
	});

	it('is where CONTENT_SCAN_CACHE says', async () => {
		const { path } = await cacheFolder({ CONTENT_SCAN_CACHE: '/elsewhere' });

		expect(path).toBe('/elsewhere');
	});

	it('is new each time, and goes away, when the cache is off', async () => {
		const [one, other] = await Promise.all([
			cacheFolder({ CONTENT_SCAN_CACHE: 'off' }),
			cacheFolder({ CONTENT_SCAN_CACHE: 'off' }),
		]);
		expect(one.path).not.toBe(other.path);

		await Promise.all([one.discard(), other.discard()]);
	});

	it('refuses a relative path', async () => {
		await expect(cacheFolder({ CONTENT_SCAN_CACHE: 'here' })).rejects.toThrow(
			"CONTENT_SCAN_CACHE is 'here', which is neither 'off' nor an absolute path.",
		);
	});
});
