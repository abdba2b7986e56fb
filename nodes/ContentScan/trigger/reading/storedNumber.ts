/** Whether a stored value is a whole number within bounds, both inclusive. */
export function isWhole(value: unknown, least: number, most: number): value is number {
	return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}

/** Whether a stored value is a time in epoch seconds; of ten digits at most, as the service takes it. */
export function isSecond(value: unknown): value is number {
	return isWhole(value, 0, 1e10 - 1);
}
