import type { INodeProperties } from 'n8n-workflow';
import { verdictOptions } from '../../../../services/scanning/verdict';

export const filterOptions: INodeProperties[] = [
	{
		displayName: 'Created After',
		name: 'start',
		type: 'dateTime',
		default: '',
		description:
			'Only scans created at or after this time, to the second. In the time zone of the workflow unless you add an offset. Default: no limit.',
	},
	{
		displayName: 'Created Before',
		name: 'end',
		type: 'dateTime',
		default: '',
		description:
			'Only scans created at or before this time, to the second. In the time zone of the workflow unless you add an offset. Default: now.',
	},
	{
		displayName: 'Email Subject',
		name: 'subject',
		type: 'string',
		default: '',
		placeholder: 'e.g. Your invoice',
		description: 'Only scans of emails with this subject. Default: any.',
	},
	{
		displayName: 'Handle Status',
		name: 'handleStatus',
		type: 'string',
		default: '',
		description:
			'Only scans with this handling status. Ask your provider for the values. Default: any.',
	},
	{
		displayName: 'Organization ID',
		name: 'organizationId',
		type: 'string',
		default: '',
		description: 'Only scans of this organization. The token must cover it. Default: all.',
	},
	{
		displayName: 'Origin',
		name: 'origin',
		type: 'string',
		default: '',
		description: 'Only scans from this source, as the service names it. Default: any.',
	},
	{
		displayName: 'Original Message ID',
		name: 'originalMessageId',
		type: 'string',
		default: '',
		placeholder: 'e.g. <b2f0@mail.example.com>',
		description: 'Only scans of the email with this Message-ID header. Default: any.',
	},
	{
		displayName: 'Verdict',
		name: 'verdict',
		type: 'options',
		options: verdictOptions,
		default: 'malicious',
		description: 'Only scans with this verdict. Default when added: malicious.',
	},
];
