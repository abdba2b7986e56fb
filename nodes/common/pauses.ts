import type { Clock } from '../../transport/clock';
import { systemClock } from '../../transport/clock';

/** Longest time, in milliseconds, for which a run with many items keeps n8n from all other work. */
const LONGEST_STRETCH_MS = 50;

/** @returns What a run awaits before each item: a moment for others, where they have waited long. */
export function pauses(clock: Clock = systemClock): () => Promise<void> {
	let begun = clock.monotonic();
	let pause: Promise<void> | undefined;
	const rest = async () => {
		await clock.sleep(1);
		begun = clock.monotonic();
		pause = undefined;
	};
	return async () => {
		// One for all that run side by side: else each would take a stretch of its own.
		if (pause || clock.monotonic() - begun >= LONGEST_STRETCH_MS) await (pause ??= rest());
	};
}
