import type { ScheduledTaskManager } from 'n8n-core';

type Register = ScheduledTaskManager['register'];

/**
 * In the place of n8n's ScheduledTaskManager: keeps what it would call each minute, so that a test
 * calls it instead of a clock.
 */
export class CronStandIn {
	private readonly jobs = new Map<string, Array<() => void>>();

	readonly register = (...[context, onTick]: Parameters<Register>): boolean => {
		const jobs = this.jobs.get(context.targetId) ?? [];
		jobs.push(() => onTick(new Date()));
		this.jobs.set(context.targetId, jobs);
		return true;
	};

	readonly deregisterTarget = (_group: unknown, targetId: string): void => {
		this.jobs.delete(targetId);
	};

	readonly deregisterGroup = (): boolean => {
		const had = this.jobs.size > 0;
		this.jobs.clear();
		return had;
	};

	readonly hasGroup = (): boolean => this.jobs.size > 0;

	readonly hasTarget = (_group: unknown, targetId: string): boolean => this.jobs.has(targetId);

	readonly getTargetIds = (): string[] => [...this.jobs.keys()];

	/** Runs all jobs of a node once, as at the full minute. */
	fire(targetId: string): void {
		for (const job of this.jobs.get(targetId) ?? []) job();
	}
}
