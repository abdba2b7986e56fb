/** Processor time this process has used, in microseconds. */
export function processorTime(): number {
	const { user, system } = process.cpuUsage();
	return user + system;
}
