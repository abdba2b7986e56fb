import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { JsonObject } from '../jsonValue.cts';
import { detail, fieldError } from '../wire/refusal.cts';
import { callerOf } from './access.cts';
import type { ScanningParts } from './parts.cts';
import type { NewScan } from './scanStore.cts';
import type { Fields } from './submissionFields.cts';
import {
	callbackOf,
	fileFields,
	formFields,
	required,
	requireKnown,
	urlFields,
	webAddress,
} from './submissionFields.cts';
import type { Upload } from './upload.cts';
import { readUpload } from './upload.cts';
import { verdictOfUrl, verdictOfWords } from './verdicts.cts';

type Subject = Pick<NewScan, 'type' | 'name' | 'path' | 'verdict' | 'sha256' | 'fileSize'>;

/** Scan a file and scan a URL, as public material describes them. */
export function submissionRoutes(app: FastifyInstance, parts: ScanningParts): void {
	app.all(
		'/api/v1/files/',
		{ config: { endpoint: { method: 'POST', needs: 'scanFile' } } },
		async (request) => {
			const { maxFileBytes, nameRequired } = parts.settings.scanning;
			const { fields, upload } = request.isMultipart()
				? await readUpload(request, maxFileBytes)
				: { fields: formFields(formBody(request)), upload: null };
			requireKnown(fields, upload || request.isMultipart() ? fileFields : [...fileFields, 'data']);
			if (nameRequired) required(fields, 'name');
			return submit(parts, request, fields, fileSubject(fields, upload));
		},
	);
	app.all(
		'/api/v1/urls/',
		{ config: { endpoint: { method: 'POST', needs: 'scanUrl' } } },
		async (request) => {
			const fields = formFields(formBody(request));
			requireKnown(fields, urlFields);
			const path = webAddress('path', required(fields, 'path'));
			return submit(parts, request, fields, {
				type: 'URL',
				name: path,
				path,
				verdict: verdictOfUrl(path),
				sha256: null,
				fileSize: null,
			});
		},
	);
}

/** @throws Refusal 415 for a body that is not form-encoded. */
function formBody(request: FastifyRequest): unknown {
	const type = request.headers['content-type'] ?? '';
	if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
		throw detail(415, `Unsupported media type "${type}" in request.`);
	}
	return request.body;
}

/** @throws Refusal 400 unless exactly one of `data`, `download_link` and `path` is there. */
function fileSubject(fields: Fields, upload: Upload | null): Subject {
	const sources = [upload, fields.download_link, fields.path, fields.data];
	const given = sources.filter((source) => source !== null && source !== undefined);
	if (given.length !== 1) {
		throw fieldError('data', 'Exactly one of data, download_link and path is required.');
	}
	if (fields.data !== undefined) throw fieldError('data', 'The submitted data was not a file.');
	if (fields.storage !== undefined && fields.path === undefined) {
		throw fieldError('storage', 'It goes with path only.');
	}
	const type = 'File';
	if (upload) {
		const { fileName, sha256, fileSize, verdict } = upload;
		const name = fields.name ?? fileName;
		if (!name) throw fieldError('name', 'This field is required.');
		return { type, name, path: null, verdict, sha256, fileSize };
	}
	if (fields.download_link !== undefined) {
		const path = webAddress('download_link', fields.download_link);
		const name = fields.name ?? lastSegment(path);
		return { type, name, path, verdict: verdictOfUrl(path), sha256: null, fileSize: null };
	}
	const path = required(fields, 'path');
	const name = fields.name ?? lastSegment(path);
	return { type, name, path, verdict: verdictOfWords(path), sha256: null, fileSize: null };
}

function lastSegment(path: string): string {
	return path.split(/[/\\]/).filter(Boolean).at(-1) ?? path;
}

function submit(
	parts: ScanningParts,
	request: FastifyRequest,
	fields: Fields,
	subject: Subject,
): JsonObject {
	const { clock, settings, scans, callbacks } = parts;
	const { scanDurationMs, scanIdShape, scanIdType } = settings.scanning;
	const createdAtMs = clock.now();
	const callback = callbackOf(fields);
	const scan = scans.add(
		{
			...subject,
			organizationId: callerOf(request).organizationId,
			origin: 'api',
			createdAtMs,
			finishesAtMs: scanDurationMs === null ? null : createdAtMs + scanDurationMs,
			email: null,
			callback,
			submission: {
				encoding: (request.headers['content-type'] ?? '').split(';')[0],
				fields: Object.keys(fields).concat(subject.sha256 === null ? [] : ['data']),
			},
		},
		scanIdShape === 'unmatched',
	);
	callbacks.schedule(scan);
	return {
		scan_id: scanIdType === 'string' ? String(scan.submittedId) : scan.submittedId,
		...(callback?.params ? { callback_params: callback.params } : {}),
	};
}
