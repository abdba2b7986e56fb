import { installOnce } from '../../scripts/n8n/installOnce.cts';
import { join, listFolder, mkdir, temporaryFolder, writeFile } from './temporaryFolder.cts';

describe('an installation that is kept', () => {
	let parent: { path: string; remove(): Promise<void> };
	let folder: string;
	const silent = () => {};
	const fill = jest.fn((workplace: string) => writeFile(join(workplace, 'content'), 'complete'));

	beforeEach(async () => {
		fill.mockClear();
		parent = await temporaryFolder();
		folder = join(parent.path, 'kept');
	});
	afterEach(() => parent.remove());

	it('is made once', async () => {
		await installOnce(folder, silent, fill);
		await installOnce(folder, silent, fill);

		expect(fill).toHaveBeenCalledTimes(1);
		expect(await listFolder(folder)).toEqual(['content']);
	});

	it('is not there, and leaves nothing, when it was interrupted', async () => {
		const interrupted = async (workplace: string) => {
			await fill(workplace);
			throw new Error('The registry went away.');
		};
		await expect(installOnce(folder, silent, interrupted)).rejects.toThrow('went away');

		expect(await listFolder(parent.path)).toEqual([]);
	});

	it('clears away what a killed process left', async () => {
		await mkdir(`${folder}.installing-4711`);

		await installOnce(folder, silent, fill);

		expect(await listFolder(parent.path)).toEqual(['kept']);
	});

	it('is made by one of two that want it at the same time; the other waits and says so', async () => {
		const lines: string[] = [];
		let otherWaits = () => {};
		const untilOtherWaits = new Promise<void>((resolve) => (otherWaits = resolve));
		const say = (line: string) => {
			lines.push(line);
			otherWaits();
		};
		fill.mockImplementationOnce(async (workplace) => {
			await untilOtherWaits;
			await writeFile(join(workplace, 'content'), 'complete');
		});
		await Promise.all([installOnce(folder, say, fill), installOnce(folder, say, fill)]);

		expect(fill).toHaveBeenCalledTimes(1);
		expect(lines).toEqual(['Another process is installing kept; waiting for it …']);
	});
});
