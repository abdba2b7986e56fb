import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { deliverNew } from '../../../../nodes/common/polling/deliverNew';
import { consoleNode } from '../../../support/consoleNode.cts';
import { FakeClock } from '../../../support/fakeClock.cts';

const MINUTE = 60_000;

/** In n8n's default mode, which keeps a trigger's static data under its name. */
class RenamedTrigger {
	readonly clock = new FakeClock();
	private readonly stored: Record<string, IDataObject> = {};

	constructor(
		private readonly id: string,
		private readonly log: string[],
	) {}

	async poll(name: string): Promise<string[]> {
		const context = {
			getNode: () => ({ ...consoleNode, name, id: this.id }),
			getWorkflow: () => ({ id: 'workflow' }),
			getWorkflowStaticData: (type: string) => (this.stored[type === 'node' ? name : type] ??= {}),
			getWorkflowSettings: () => ({}),
			logger: { warn: () => undefined },
			helpers: {},
			__emit: () => undefined,
		} as unknown as IPollFunctions;
		const source = {
			scope: 'test',
			position: (stored: unknown) => stored as { scope: string; read: number } | undefined,
			start: async () => ({ position: { scope: 'test', read: 0 }, isNow: false }),
			read: async ({ scope, read }: { scope: string; read: number }) => ({
				items: this.log.slice(read).map((entry) => ({ json: { entry } })),
				after: { scope, read: this.log.length },
				hasMore: false,
				isUnfinished: false,
			}),
		};
		const deadline = this.clock.now() + MINUTE / 2;
		const settings = {
			moveOn: 'handedOver',
			deadline,
			clock: this.clock,
			sizeOption: 'Max',
		} as const;
		const items = await deliverNew(context, source, settings);
		await this.clock.advance(MINUTE);
		return (items?.[0] ?? []).map(({ json }) => json.entry as string);
	}
}

test('a trigger that is renamed does not deliver its last batch again', async () => {
	const log = ['a'];
	const trigger = new RenamedTrigger('renamed', log);
	const came = [...(await trigger.poll('Old Name'))];
	log.push('b');
	came.push(...(await trigger.poll('Old Name')));
	came.push(...(await trigger.poll('New Name')));
	log.push('c');
	came.push(...(await trigger.poll('New Name')));
	// What n8n has stored under the old name is older than that.
	came.push(...(await trigger.poll('Old Name')));
	came.push(...(await trigger.poll('Old Name')));
	expect(came).toEqual(['a', 'b', 'c']);
});
