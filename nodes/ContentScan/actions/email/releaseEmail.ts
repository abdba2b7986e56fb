import type { INodeProperties } from 'n8n-workflow';
import { readBackOption, runMutation } from '../common/mutation';
import { optionsField } from '../common/executionOptions';
import type { Operation } from '../itemRun';
import { scanIdField } from '../common/scanId';

const show = { resource: ['email'], operation: ['release'] };

export const releaseEmailFields: INodeProperties[] = [
	scanIdField(show, {
		displayName: 'Scan',
		description: 'The scan of the email to release from quarantine to its recipients',
		listMethod: 'searchQuarantine',
	}),
	optionsField(show, [readBackOption]),
];

/** Releases an email from quarantine. Never repeated on its own, although it is a GET. */
export const releaseEmail: Operation = async (item) =>
	await runMutation(item, 'releaseEmail', { scanId: item.scanId });
