import { markOf } from '../../../../nodes/ContentScan/trigger/reading/rememberedScans';
import { memoryHeldDuring } from '../../../support/transport/memory.cts';

it('the mark of a verdict of megabytes keeps no more of it than it shows', async () => {
	const { result, held } = await memoryHeldDuring(async () => {
		const marks = Array.from({ length: 20 }, (_, at) =>
			markOf(Buffer.alloc(2_000_000, `long${at}`).toString()),
		);
		return await Promise.resolve(marks);
	});
	expect(result[7]).toBe('=long7long7long7long7lon');
	expect(held).toBeLessThan(10_000_000);
});
