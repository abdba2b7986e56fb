export { setImmediate as macrotask } from 'node:timers/promises';
