import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { failureField } from '../../../../services/scanning/scanRecord';

/** Why a scan is shown without the verdict that its record has. */
export function failureNote(record: ScanRecord): string | undefined {
	const field = failureField(record);
	if (field === undefined) return undefined;
	return `The record of the scan tells an error in '${field}', so no verdict in it counts unless it is harmful. If Get shows that later, too, ask your provider what it means.`;
}
