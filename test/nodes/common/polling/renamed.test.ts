import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { deliverNew } from '../../../../nodes/common/polling/deliverNew';
import { beginPoll } from '../../../../nodes/common/polling/pollHost';
import { revisionOf } from '../../../../nodes/common/polling/progress';
import { consoleNode } from '../../../support/consoleNode.cts';
import { FakeClock } from '../../../support/fakeClock.cts';

const MINUTE = 60_000;

let workflows = 0;

/** In n8n's default mode, which keeps a trigger's static data under its name. */
class RenamedTrigger {
	readonly clock = new FakeClock();
	private stored: Record<string, IDataObject> = {};
	private workflowId = `workflow ${workflows++}`;
	private restarts = 0;
	/** How long a poll takes. */
	readMs = 0;

	constructor(
		private readonly id: string,
		private readonly log: string[],
		/** Characters of its position. */
		private readonly size = 0,
	) {}

	/** Another trigger of the same workflow. */
	beside(id: string): RenamedTrigger {
		const other = new RenamedTrigger(id, this.log);
		other.stored = this.stored;
		other.workflowId = this.workflowId;
		other.restarts = this.restarts;
		return other;
	}

	/** Of what n8n has stored under a name. */
	revision(name: string): number {
		return revisionOf(this.stored[name].pollState);
	}

	/** n8n has stored all of it. */
	restart(): void {
		this.stored = JSON.parse(JSON.stringify(this.stored)) as typeof this.stored;
		this.restarts++;
	}

	/** As n8n watches it. */
	private staticData(key: string): IDataObject {
		const data = (this.stored[key] ??= {});
		return Object.defineProperty(data, '__dataChanged', { value: false, configurable: true });
	}

	async poll(name: string, scope = 'test'): Promise<string[]> {
		const context = {
			getMode: () => 'trigger',
			getNode: () => ({ ...consoleNode, name, id: this.id }),
			getChildNodes: () => [],
			getWorkflow: () => ({ id: `${this.workflowId} of process ${this.restarts}` }),
			getWorkflowStaticData: (type: string) => this.staticData(type === 'node' ? name : type),
			getWorkflowSettings: () => ({}),
			logger: { warn: () => undefined },
			helpers: {},
			__emit: () => undefined,
		} as unknown as IPollFunctions;
		const source = {
			scope,
			position: (stored: unknown) => {
				const position = stored as { scope: string; read: number };
				return position.scope === scope ? position : undefined;
			},
			start: async () => ({ position: { scope, read: 0 }, isNow: false }),
			read: async ({ scope, read }: { scope: string; read: number }) => {
				await this.clock.sleep(this.readMs);
				return {
					items: this.log.slice(read).map((entry) => ({ json: { entry } })),
					after: { scope, read: this.log.length, seen: 'x'.repeat(this.size) },
					hasMore: false,
					isUnfinished: false,
				};
			},
		};
		const settings = {
			...beginPoll(context, this.clock.now()),
			moveOn: 'handedOver',
			clock: this.clock,
			sizeOption: 'Max',
		} as const;
		const items = await deliverNew(context, source, settings);
		if (items) context.__emit(items);
		await this.clock.advance(MINUTE);
		return (items?.[0] ?? []).map(({ json }) => json.entry as string);
	}
}

test.each([0, 10_000])(
	'a trigger that is renamed does not deliver its last batch again: %i',
	async (size) => {
		const log = ['a'];
		const trigger = new RenamedTrigger(`renamed ${size}`, log, size);
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
	},
);

test('renamed while n8n is off, it goes on where it was', async () => {
	const log = ['a'];
	const trigger = new RenamedTrigger('renamed while off', log);
	expect(await trigger.poll('Old Name')).toEqual(['a']);
	trigger.restart();
	log.push('b');
	expect(await trigger.poll('New Name')).toEqual(['b']);
});

test('with a long position it asks for its old name, and goes on under that', async () => {
	const log = ['a'];
	const trigger = new RenamedTrigger('long', log, 10_000);
	expect(await trigger.poll('Old Name')).toEqual(['a']);
	trigger.restart();
	log.push('b');
	await expect(trigger.poll('New Name')).rejects.toThrow('under its former name, "Old Name"');
	expect(await trigger.poll('Old Name')).toEqual(['b']);
	log.push('c');
	expect(await trigger.poll('New Name')).toEqual(['c']);
});

test('renamed during its poll, with a long position, it goes on after a restart', async () => {
	const log = ['a'];
	const trigger = new RenamedTrigger('renamed during its poll', log, 10_000);
	expect(await trigger.poll('Old Name')).toEqual(['a']);
	expect(await trigger.poll('Old Name')).toEqual([]);
	trigger.readMs = 1000;
	const underWay = trigger.poll('Old Name');
	expect(await trigger.poll('New Name')).toEqual([]);
	await underWay;
	trigger.readMs = 0;
	trigger.restart();
	log.push('b');
	expect(await trigger.poll('New Name')).toEqual(['b']);
});

test.each([0, 10_000])(
	'a new trigger under its former name begins from scratch: %i',
	async (size) => {
		const log = ['a'];
		const trigger = new RenamedTrigger(`former name ${size}`, log, size);
		expect(await trigger.poll('Old Name')).toEqual(['a']);
		trigger.restart();
		await trigger.poll('New Name').catch(() => undefined);
		expect(await trigger.beside(`new of ${size}`).poll('Old Name')).toEqual(['a']);
	},
);

test('what is started over is newer than what any trigger may have stored of it', async () => {
	const log = ['a'];
	const trigger = new RenamedTrigger('started over', log);
	await trigger.poll('Name');
	log.push('b');
	await trigger.poll('Name');
	const before = trigger.revision('Name');
	await trigger.poll('Name', 'other');
	expect(trigger.revision('Name')).toBeGreaterThan(before);
});
