import type { INodeProperties } from 'n8n-workflow';
import { carryOut } from '../common/effect';
import { optionsField } from '../common/executionOptions';
import type { Operation } from '../itemRun';
import { readBackOption } from '../common/readBack';
import { scanIdField } from '../common/scanId';

const show = { resource: ['email'], operation: ['release'] };

export const releaseEmailFields: INodeProperties[] = [
	scanIdField(show, {
		displayName: 'Scan',
		description: 'The scan of the email to release from quarantine to its recipients',
	}),
	optionsField(show, [readBackOption('the whole record')]),
];

/**
 * Releases an email from quarantine. Never repeated on its own, although it is a GET. What a record
 * says of the quarantine is not published, so nothing of it is left out.
 */
export const releaseEmail: Operation = async (item) =>
	await carryOut(item, 'releaseEmail', { scanId: item.scanId }, (record) => record);
