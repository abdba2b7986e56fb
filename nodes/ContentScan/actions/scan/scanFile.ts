import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { enteredOption, enteredText } from '../../../../input/enteredValues';
import { callbackFields } from '../common/callbackFields';
import { refuseLongSecret } from '../common/longSecret';
import { givenFields } from '../common/givenFields';
import type { ItemRun, Operation } from '../itemRun';
import { carriedFields } from '../common/inputFields';
import {
	FILES_IN_JSON,
	filesOf,
	isFile,
	keepsFilesInJson,
	refuseFilesElsewhere,
} from '../common/itemFiles';
import { scanOutput } from '../common/scanOutput';
import { uploadFile } from '../common/uploadFile';
import { unknownScan } from '../../../../services/scanning/scanRecord';
import type { SubmissionBody } from '../common/submission';
import { submit } from '../common/submission';

function fileSource(context: IExecuteFunctions, itemIndex: number) {
	const value = context.getNodeParameter('fileSource', itemIndex, 'binary');
	return enteredOption(value, 'File Source', ['binary', 'link', 'storage']);
}

/**
 * What the field 'Input Data Field Name' says: a file itself, or the names of binary fields, each once.
 * @throws UserError when there is none.
 */
function enteredFiles(
	context: IExecuteFunctions,
	itemIndex: number,
): Partial<IBinaryData> | string[] {
	const value = context.getNodeParameter('inputDataFieldName', itemIndex, 'data');
	if (isFile(value)) return value;
	const names = enteredText(value, 'Input Data Field Name').split(',');
	const unique = new Set(names.map((name) => fieldName(context, name.trim())).filter(Boolean));
	if (unique.size > 0) return [...unique];
	throw new UserError("The 'Input Data Field Name' is empty", {
		description:
			'Enter the name of the binary field, e.g. data, several separated by commas, or * for all.',
	});
}

/** n8n's own nodes take a path there, where files are in the `json`. */
function fieldName(context: IExecuteFunctions, name: string): string {
	const inJson = `${FILES_IN_JSON}.`;
	return keepsFilesInJson(context) && name.startsWith(inJson) ? name.slice(inJson.length) : name;
}

/**
 * The binary fields of an item that become items of their own: several names, or `*` for all.
 * @returns `undefined` where the item is scanned as one.
 */
export function binaryFields(context: IExecuteFunctions, itemIndex: number): string[] | undefined {
	if (fileSource(context, itemIndex) !== 'binary') return undefined;
	const entered = enteredFiles(context, itemIndex);
	if (!Array.isArray(entered)) return undefined;
	if (entered.includes('*')) return Object.keys(filesOf(context, itemIndex));
	return entered.length > 1 ? entered : undefined;
}

/** With a host of at most 1,000 characters: before Node 24, to parse one of tens of thousands takes seconds. */
const WEB_ADDRESS = /^https?:\/{2,}([^/?#\\]*@)?[^/?#\\@]{1,1000}([/?#\\]|$)/i;

function linkedFileName(link: string): string {
	const last = new URL(link).pathname.split('/').pop() ?? '';
	try {
		return decodeURIComponent(last) || 'file';
	} catch {
		return last;
	}
}

function downloadLink(item: ItemRun): string {
	const link = item.text('downloadLink', 'Download Link');
	if (link === '') {
		throw new UserError("The 'Download Link' is empty", {
			description: 'Enter a direct link to the file, e.g. https://files.example.com/invoice.pdf.',
		});
	}
	if (WEB_ADDRESS.test(link) && URL.canParse(link)) return link;
	throw new UserError("The 'Download Link' is not a web address", {
		description: 'It must begin with https:// or http://.',
	});
}

function storagePath(item: ItemRun): string {
	const path = item.text('storagePath', 'Path in Storage');
	if (path !== '') return path;
	throw new UserError("The 'Path in Storage' is empty", {
		description: 'Enter the path of the file within the storage.',
	});
}

function sharedFields(item: ItemRun): Record<string, string> {
	// Not trimmed: a password may begin or end with a space.
	const password = enteredText(item.options.filePassword, 'File Password');
	refuseLongSecret(password, 'File Password');
	return givenFields({ file_password: password || undefined, ...callbackFields(item) });
}

async function fileBody(item: ItemRun): Promise<SubmissionBody> {
	const shared = sharedFields(item);
	const fileName = item.option('fileName', 'File Name');
	switch (fileSource(item.context, item.itemIndex)) {
		case 'link': {
			const link = downloadLink(item);
			const fields = { download_link: link, name: fileName ?? linkedFileName(link), ...shared };
			return { type: 'form', fields };
		}
		case 'storage': {
			const path = storagePath(item);
			const name = fileName ?? (path.split('/').pop() || path);
			const storage = item.addedOption('storage', 'Storage');
			return { type: 'form', fields: givenFields({ path, name, storage, ...shared }) };
		}
		case 'binary': {
			const entered = item.task.binaryField ?? enteredFiles(item.context, item.itemIndex);
			const file = await uploadFile(item, Array.isArray(entered) ? entered[0] : entered, 'data');
			const name = fileName ?? file.fileName;
			return { type: 'multipart', fields: { name, ...shared }, file: { ...file, fileName: name } };
		}
	}
}

function hasNoFiles(item: ItemRun): boolean {
	if (item.task.binaryField !== undefined) return false;
	return binaryFields(item.context, item.itemIndex)?.length === 0;
}

export const scanFile: Operation = async (item) => {
	item.carried = carriedFields(item);
	if (hasNoFiles(item)) {
		refuseFilesElsewhere(item.context, item.itemIndex);
		const note = 'The item has no file, so nothing was scanned.';
		const { simplify } = item;
		return { ...item.carried, ...scanOutput(unknownScan(null, null), { note, simplify }) };
	}
	return await submit(item, 'scanFile', await fileBody(item));
};
