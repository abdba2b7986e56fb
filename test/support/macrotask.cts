/** Resolves after what waits in the event loop now. */
export { setImmediate as macrotask } from 'node:timers/promises';
