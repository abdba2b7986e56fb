import { browserPart } from './browser/part.cts';
import { compatibilityParts } from './compatibility/part.cts';
import { developmentPart } from './development/part.cts';
import { killPart } from './kill/part.cts';
import type { Part } from './part.cts';
import { registryPart } from './registry/part.cts';
import { queueModePart } from './queueMode/part.cts';
import { secretsPart } from './secrets/part.cts';

/** In the order in which they run; the last one searches what all others have left. */
export const parts: readonly Part[] = [
	registryPart,
	developmentPart,
	...compatibilityParts,
	killPart,
	browserPart,
	queueModePart,
	secretsPart,
];
