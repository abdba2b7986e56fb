import type { INodeProperties } from 'n8n-workflow';
import { optionsField } from './optionsField';
import { scanIdField } from './scanIdField';
import { simplifyField } from './simplifyField';

const show = { resource: ['scan'], operation: ['get'] };

export const getScanFields: INodeProperties[] = [
	scanIdField(show, {
		displayName: 'Scan',
		description:
			'The scan to read. If the service does not find the ID, the node looks in the list of the last 24 hours.',
	}),
	simplifyField(show),
	optionsField(show),
];
