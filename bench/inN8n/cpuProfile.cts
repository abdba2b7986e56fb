/** A processor profile as V8 writes it, as far as it is read here. */
export interface CpuProfile {
	nodes: Array<{
		id: number;
		callFrame: { functionName: string; url: string };
		children?: number[];
	}>;
	/** The node of each sample. */
	samples: number[];
	/** Microseconds from each sample to the next. */
	timeDeltas: number[];
}

/** One function on the stack of a sample. */
export interface Frame {
	functionName: string;
	/** Path of its file; empty for what is built into V8. */
	url: string;
}

/** What a share of the time belongs to, by the innermost function that one of these knows. */
export interface Cause {
	name: string;
	knows(frame: Frame): boolean;
}

/**
 * How many milliseconds went where. A sample counts for the cause that knows the innermost function
 * of its stack, and for `rest` where none knows any.
 */
export function timeByCause(
	profile: CpuProfile,
	causes: readonly Cause[],
	rest: string,
): Map<string, number> {
	const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
	const parents = new Map(
		profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
	);
	const causeOfNode = new Map<number, string>();
	const causeOf = (id: number): string => {
		const known = causeOfNode.get(id);
		if (known !== undefined) return known;
		const frame = nodes.get(id)?.callFrame;
		const parent = parents.get(id);
		const own = frame && causes.find((cause) => cause.knows(frame))?.name;
		const cause = own ?? (parent === undefined ? rest : causeOf(parent));
		causeOfNode.set(id, cause);
		return cause;
	};
	const milliseconds = new Map(causes.map(({ name }) => [name, 0]));
	profile.samples.forEach((id, index) => {
		const cause = causeOf(id);
		const spent = (profile.timeDeltas[index] ?? 0) / 1000;
		milliseconds.set(cause, (milliseconds.get(cause) ?? 0) + spent);
	});
	return milliseconds;
}
