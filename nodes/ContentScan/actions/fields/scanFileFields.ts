import type { INodeProperties } from 'n8n-workflow';
import { optionsField } from './optionsField';
import { resultFields, submissionOptions } from './submissionFields';

const show = { resource: ['scan'], operation: ['scanFile'] };

export const scanFileFields: INodeProperties[] = [
	{
		displayName: 'File Source',
		name: 'fileSource',
		type: 'options',
		options: [
			{
				name: 'Binary Field of the Item',
				value: 'binary',
				description: 'Upload a file that an earlier node has put into the item, up to 500 MB',
			},
			{
				name: 'Download Link',
				value: 'link',
				description: 'Let the service download the file itself',
			},
			{
				name: 'File in Storage',
				value: 'storage',
				description: 'Scan a file in a storage that the service can read',
			},
		],
		default: 'binary',
		description: 'Where the file comes from',
		displayOptions: { show },
	},
	{
		displayName: 'Input Data Field Name',
		name: 'inputDataFieldName',
		type: 'string',
		default: 'data',
		required: true,
		placeholder: 'e.g. data',
		hint: 'The name of the input field that holds the file to scan; several separated by commas, or * for all files of the item',
		description:
			"Binary fields of the item to scan, up to 500 MB each. With several names, or *, each file becomes an item of its own. An expression can give another node's file: {{ $('Download').item.binary.data }}.",
		displayOptions: { show: { ...show, fileSource: ['binary'] } },
	},
	{
		displayName: 'Download Link',
		name: 'downloadLink',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://files.example.com/invoice.pdf',
		description:
			'Direct link to the file. The service downloads it, so it must be reachable from the internet without signing in.',
		displayOptions: { show: { ...show, fileSource: ['link'] } },
	},
	{
		displayName: 'Path in Storage',
		name: 'storagePath',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. incoming/invoice.pdf',
		description: 'Path of the file in the storage. Name the storage with the option Storage.',
		displayOptions: { show: { ...show, fileSource: ['storage'] } },
	},
	...resultFields(show),
	optionsField(show, [
		...submissionOptions,
		{
			displayName: 'File Name',
			name: 'fileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. invoice.pdf',
			description:
				'File name to show to the service. Default: the name of the binary file, or the last part of the download link or path.',
		},
		{
			displayName: 'File Password',
			name: 'filePassword',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Password that opens the file or archive. May stay empty, for files without one. Default: none.',
		},
		{
			displayName: 'Storage',
			name: 'storage',
			type: 'string',
			default: '',
			displayOptions: { show: { '/fileSource': ['storage'] } },
			description:
				'Storage that holds the file. Ask your provider for the values. Default: not sent.',
		},
	]),
];
