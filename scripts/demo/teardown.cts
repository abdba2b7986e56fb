type Task = () => Promise<void>;

/** Ends what was started, in reverse order, however far the start got. */
export class Teardown {
	private readonly tasks: Task[] = [];
	private begun = false;

	/**
	 * @throws Error once the teardown has begun: a start that goes on in the background, because
	 * its user no longer waits for it, ends here before it starts something nobody would end.
	 */
	add(task: Task): void {
		if (this.begun) throw new Error('Not started: everything is being ended.');
		this.tasks.push(task);
	}

	/** Every task is tried; the first failure is thrown after the last one. */
	async run(): Promise<void> {
		this.begun = true;
		const failures: unknown[] = [];
		for (let task = this.tasks.pop(); task; task = this.tasks.pop()) {
			await task().catch((error: unknown) => failures.push(error));
		}
		if (failures.length > 0) throw failures[0];
	}
}
