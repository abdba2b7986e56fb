import { PAGE_SIZE } from '../../../services/scanning/scanList';
import type { ScanRecord } from '../../../services/scanning/scanRecord';
import { isFinished } from '../../../services/scanning/scanRecord';
import { PAGES_PER_WINDOW } from './verdictLook';

/** Why a look may have missed something. */
export interface Hindrance {
	cutOff?: boolean;
	failure?: string;
	/** Whether the failure was the service's own, as it is for a window with too many entries. */
	serverFault?: boolean;
}

/**
 * What a user should know of a scan whose wait is over, besides that it has not finished.
 * @param record The scan as it was last seen.
 */
export function pendingNote(
	scanId: string,
	record: ScanRecord | undefined,
	hindrance: Hindrance,
): string | undefined {
	const sentences: string[] = [];
	if (!record) {
		sentences.push(
			`No entry of the list of scans carries the ID ${scanId}, so it is not known whether the scan has finished.`,
			'How the ID of a submission relates to those in the list is not published.',
		);
	} else if (isFinished(record)) {
		sentences.push('Those of its parts that were seen have finished; others may follow.');
	}
	if (hindrance.cutOff && (!record || isFinished(record))) {
		sentences.push(
			`Only the first ${PAGES_PER_WINDOW * PAGE_SIZE} entries around its submission were looked at.`,
		);
	}
	if (hindrance.failure) {
		sentences.push(`The list could not be read at the last look: ${hindrance.failure}.`);
	}
	return sentences.join(' ') || undefined;
}
