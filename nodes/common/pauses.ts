import { systemClock } from '../../transport/clock';

/** Longest time, in milliseconds, for which a run with many items keeps n8n from all other work. */
const LONGEST_STRETCH_MS = 50;

/** @returns What a run awaits before each item: a moment for others, where they have waited long. */
export function pauses({ monotonic, sleep } = systemClock): () => Promise<void> {
	let begun = monotonic();
	let pause: Promise<void> | undefined;
	const rest = async () => {
		await sleep(1);
		begun = monotonic();
		pause = undefined;
	};
	return async () => {
		// One for all that run side by side: else each would take a stretch of its own.
		if (pause || monotonic() - begun >= LONGEST_STRETCH_MS) await (pause ??= rest());
	};
}
