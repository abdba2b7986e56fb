export function watchSources(
	root: string,
	rebuilt: () => Promise<void>,
): { close(): Promise<void> };
