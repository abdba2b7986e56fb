import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { failureField } from '../../../../services/scanning/scanRecord';

/** Why a scan that has ended by its times is shown without its verdict. */
export function failureNote(record: ScanRecord): string | undefined {
	const field = failureField(record);
	if (field === undefined) return undefined;
	return `The record of the scan tells an error in '${field}', so the scan is not taken as clean. If Get shows that later, too, ask your provider what it means.`;
}
