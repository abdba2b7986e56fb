import { PAGES_PER_WINDOW } from './listLookup';

export interface WaitIssue {
	/** The list was not read since the scan was submitted. */
	unread?: boolean;
	/** The scan has finished, and no verdict is listed with it. */
	withoutVerdict?: boolean;
	/** No record of the scan itself was seen; `parts`: only records that name it as their root. */
	unseen?: 'parts' | 'nothing';
	/** The part of the list in which the scan lies went on after the last page that was read. */
	cutOff?: boolean;
	/** The message of the last lookup, when it failed. */
	failure?: string;
	/** Complete lists did not show the scan, and Get does not know its ID, or an older scan with it. */
	notFound?: 'unknown' | 'older';
}

export function issueNote(issue: WaitIssue): string | undefined {
	const sentences: string[] = [];
	if (issue.unread) sentences.push('The list of scans was not read in time.');
	if (issue.withoutVerdict) {
		sentences.push('The scan has finished, but its record has no verdict.');
	}
	if (issue.unseen === 'nothing') {
		sentences.push("No record in the list of scans has this scan's ID.");
	}
	if (issue.unseen === 'parts') {
		sentences.push(
			'The list of scans has parts of this scan, but not the scan itself, so its verdict is not known.',
		);
	}
	if (issue.notFound) {
		sentences.push(
			issue.notFound === 'older'
				? 'Get finds an older scan with this ID, whose verdict says nothing of this one.'
				: 'Get does not find this ID either: your deployment may list scans under other IDs.',
			'Look for the scan with Get Many.',
		);
	} else if (issue.unseen && issue.cutOff) {
		sentences.push(
			`Only the first ${PAGES_PER_WINDOW} pages of the list around its submission were read.`,
		);
	}
	if (issue.failure) {
		const failure = issue.failure.replace(/\.$/, '');
		sentences.push(`The last attempt to read the list failed: ${failure}.`);
	}
	return sentences.join(' ') || undefined;
}
