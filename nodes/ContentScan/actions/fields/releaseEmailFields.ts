import type { INodeProperties } from 'n8n-workflow';
import { optionsField } from './optionsField';
import { readBackOption } from './readBackOption';
import { scanIdField } from './scanIdField';

const show = { resource: ['email'], operation: ['release'] };

export const releaseEmailFields: INodeProperties[] = [
	scanIdField(show, {
		displayName: 'Scan',
		description:
			'The scan of the email to release from quarantine to its recipients. For its subject and sender in the output, set Read Scan Afterwards.',
		listMethod: 'searchQuarantine',
		listed: 'Emails of the last 24 hours that are not clean.',
	}),
	optionsField(show, [readBackOption]),
];
