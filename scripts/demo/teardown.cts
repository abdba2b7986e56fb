type Task = () => Promise<void>;

/** Ends what was started, in reverse order, however far the start got. */
export class Teardown {
	private readonly tasks: Task[] = [];
	private running?: Promise<void>;

	/**
	 * @throws Error once the teardown has begun: a start that goes on in the background, because
	 * its user no longer waits for it, ends here before it starts something nobody would end.
	 */
	add(task: Task): void {
		if (this.running) throw new Error('Not started: everything is being ended.');
		this.tasks.push(task);
	}

	/**
	 * Every task is tried; the first failure is thrown after the last one. A second call, as an
	 * interruption makes it, waits for the first: two at a time would not keep to the order.
	 */
	async run(): Promise<void> {
		return await (this.running ??= this.endAll());
	}

	private async endAll(): Promise<void> {
		const failures: unknown[] = [];
		for (let task = this.tasks.pop(); task; task = this.tasks.pop()) {
			await task().catch((error: unknown) => failures.push(error));
		}
		if (failures.length > 0) throw failures[0];
	}
}
