import type { ScanRecord } from '../../../services/scanning/scanRecord';
import { heldBackBy } from '../../../services/scanning/scanRecord';

/** Why a scan whose record says that it is clean is shown without a verdict. */
export function heldBackNote(record: ScanRecord): string | undefined {
	const field = heldBackBy(record);
	if (field === undefined) return undefined;
	return `The record of the scan tells an error in '${field}', so it is not taken as clean. If Get shows that later, too, ask your provider what it means.`;
}
