import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../repositoryRoot.cts';

/** A text that n8n shows beside results or within an error, `…` standing for what belongs to the case. */
interface Notice {
	/** Path of the file that writes it, from the root of the repository. */
	file: string;
	shows: string;
	where: string;
	meaning: string;
}

const WAITING = 'Wait for Verdict: `note` of the item';

const NOTICES: Notice[] = [
	{
		file: 'nodes/ContentScan/verdict/pendingNote.ts',
		shows:
			'No entry of the list of scans carries the ID …, so it is not known whether the scan has finished.',
		where: WAITING,
		meaning:
			'The scan was submitted. If you see this for every scan, your deployment lists them under other IDs: use a callback ([waiting](content-scan.md#waiting-for-the-verdict)).',
	},
	{
		file: 'nodes/ContentScan/verdict/pendingNote.ts',
		shows: 'Only the first … entries around its submission were looked at.',
		where: WAITING,
		meaning:
			"So much was scanned at that time that the scan may stand further on. Raise the option 'Wait Timeout', or use a callback.",
	},
	{
		file: 'nodes/ContentScan/verdict/pendingNote.ts',
		shows: 'Those of its parts that were seen have finished; others may follow.',
		where: WAITING,
		meaning:
			'The list shows parts of the scan, and so much else that not all of them were read. Wait longer: what was not seen may be the worst.',
	},
	{
		file: 'nodes/ContentScan/verdict/pendingNote.ts',
		shows: 'The list could not be read at the last look: …',
		where: WAITING,
		meaning: 'The scan goes on at the service. Look on this page for the words that follow.',
	},
	{
		file: 'nodes/ContentScan/actions/common/readBack.ts',
		shows: 'The operation was carried out, but the scan could not be read afterwards. …',
		where: 'Read Scan Afterwards: `note` of the item',
		meaning: 'Do not run it again. Read the scan with Get.',
	},
	{
		file: 'nodes/ContentScan/actions/executeItems.ts',
		shows:
			'… waited for a turn, the longest for … seconds. The credential allows … calls per minute.',
		where: 'Hint in the output of Content Scan',
		meaning: 'Nothing is wrong: the calls kept to the license ([limits](limits.md)).',
	},
	{
		file: 'nodes/ContentScan/actions/executeItems.ts',
		shows: 'The scan was submitted: its scan_id is ….',
		where: 'Description of an error',
		meaning: 'Do not submit it again. Look for the scan by this ID.',
	},
	{
		file: 'nodes/ContentScan/actions/executeItems.ts',
		shows:
			'Before that, the call for … was carried out at the service and is not undone … (scan_id …).',
		where: 'Description of an error',
		meaning: 'Run only the items again that are left. Of submissions, the IDs are named.',
	},
	{
		file: 'services/scanning/operationTable.ts',
		shows: 'Check the ID: perhaps only the long one (full_scan_id) is known here',
		where: 'Description of a 404',
		meaning:
			'Whether an operation takes the scan_id of a submission is not published. Take the ID that Get Many shows ([IDs](content-scan.md#operations)).',
	},
	{
		file: 'nodes/ConsoleAuditLog/actions/getManyEntries.ts',
		shows:
			"'Since' of item … lies before the … days for which the console keeps entries: older ones are gone.",
		where: 'Hint in the output of Console Audit Log',
		meaning: 'What the console still has is there.',
	},
];

/**
 * The notices as rows of a table.
 * @throws Error for words that the file does not have (any more).
 */
export function noticeRows(): string[][] {
	return NOTICES.map(({ file, shows, where, meaning }) => {
		const source = readFileSync(join(repositoryRoot, file), 'utf8');
		const gone = shows.split('…').find((words) => !source.includes(words.trim()));
		if (gone !== undefined) throw new Error(`${file} does not say "${gone}": mend NOTICES.`);
		return [shows, where, meaning];
	});
}
