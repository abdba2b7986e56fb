import type { NodeApiError } from 'n8n-workflow';
import type { ItemRun, Operation } from '../itemRun';
import { mismatch, readScan } from '../common/readScan';
import { scanOutput } from '../common/scanOutput';
import type { ScanRecord } from '../../../../services/scanning/scanRecord';
import { simplifyFound } from '../../../../services/scanning/scanRecord';
import { addSentence } from '../../../../transport/errors/addSentence';

/** @throws The error that Get gave, with what came of the search. */
async function findInList(
	item: ItemRun,
	scanId: string,
	notFound: NodeApiError,
): Promise<ScanRecord> {
	const search = item.recentScans.find(scanId);
	const { record, complete } = await search.catch((error: Error) => {
		addSentence(notFound, `Searching the list for it failed: ${error.message}.`);
		return { record: undefined, complete: undefined };
	});
	if (record) return record;
	if (complete === true)
		addSentence(notFound, 'The list of the last 24 hours does not have it either.');
	if (complete === false) {
		addSentence(
			notFound,
			'The list of the last 24 hours could not be searched to its end, so the scan may still be in it. Use Get Many with the time at which it was created.',
		);
	}
	throw notFound;
}

async function readOrFind(item: ItemRun, scanId: string): Promise<ScanRecord> {
	return await readScan(item, scanId).catch(async (error: NodeApiError) => {
		if (error.httpCode !== '404') throw error;
		return await findInList(item, scanId, error);
	});
}

export const getScan: Operation = async (item) => {
	const { scanId, simplify } = item;
	const record = await readOrFind(item, scanId);
	const details = { record, simplify, ...mismatch(record, scanId) };
	return scanOutput(simplifyFound(scanId, record), details);
};
