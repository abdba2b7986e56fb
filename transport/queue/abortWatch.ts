interface Watch {
	callbacks: Set<() => void>;
	listener: () => void;
}

/**
 * Listens to abort signals with one listener per signal, however many calls share it: an AbortSignal
 * compares every new listener with all those it has, so a listener per call would cost O(n²).
 */
export class AbortWatch {
	private readonly watches = new Map<AbortSignal, Watch>();

	/**
	 * Calls `onAbort` once if `signal` aborts; it must not have aborted yet.
	 * @returns a function that ends the watch; the last one of a signal removes the listener
	 */
	add(signal: AbortSignal, onAbort: () => void): () => void {
		const watch = this.watches.get(signal) ?? this.listen(signal);
		watch.callbacks.add(onAbort);
		return () => {
			watch.callbacks.delete(onAbort);
			if (watch.callbacks.size > 0) return;
			signal.removeEventListener('abort', watch.listener);
			if (this.watches.get(signal) === watch) this.watches.delete(signal);
		};
	}

	private listen(signal: AbortSignal): Watch {
		const callbacks = new Set<() => void>();
		const listener = () => [...callbacks].forEach((callback) => callback());
		const watch = { callbacks, listener };
		this.watches.set(signal, watch);
		signal.addEventListener('abort', listener);
		return watch;
	}
}
