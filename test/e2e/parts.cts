import { killPart } from './kill/part.cts';
import type { Part } from './part.cts';
import { secretsPart } from './secrets/part.cts';

/** In the order in which they run; the last one searches what all others have left. */
export const parts: readonly Part[] = [killPart, secretsPart];
