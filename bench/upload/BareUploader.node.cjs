/**
 * The least that a node does to upload a file: n8n reads it from its storage in pieces and sends them
 * as they come. The size is not compared, the answer not looked at. Its class is named as n8n's loader
 * wants it: like the file.
 */
class BareUploader {
	description = {
		displayName: 'Bare Uploader',
		name: 'bareUploader',
		group: ['transform'],
		version: 1,
		description: 'Measured beside Scan File',
		defaults: { name: 'Bare Uploader' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'contentScanApi', required: true }],
		properties: [{ displayName: 'Piece Size', name: 'pieceSize', type: 'number', default: 0 }],
	};

	async execute() {
		const { baseUrl } = await this.getCredentials('contentScanApi');
		const file = this.helpers.assertBinaryData(0, 'data');
		const { fileSize } = await this.helpers.getBinaryMetadata(file.id);
		const pieces = await this.helpers.getBinaryStream(
			file.id,
			this.getNodeParameter('pieceSize', 0),
		);
		const form = new Form([
			['name', file.fileName],
			['data', new StreamedFile(file.fileName, fileSize, pieces)],
		]);
		const answer = await this.helpers.httpRequestWithAuthentication.call(this, 'contentScanApi', {
			method: 'POST',
			url: `${baseUrl}/api/v1/files/`,
			body: form,
			disableFollowRedirect: true,
		});
		return [[{ json: answer }]];
	}
}

/** What n8n's HTTP client takes for a FormData. */
class Form {
	[Symbol.toStringTag] = 'FormData';

	constructor(parts) {
		this.parts = parts;
	}

	append() {}

	getAll() {
		return [];
	}

	entries() {
		return this.parts[Symbol.iterator]();
	}

	[Symbol.iterator]() {
		return this.entries();
	}
}

/** What it takes for a File. */
class StreamedFile {
	[Symbol.toStringTag] = 'File';
	type = 'application/octet-stream';

	constructor(name, size, pieces) {
		Object.assign(this, { name, size, stream: () => pieces });
	}
}

module.exports = { BareUploader };
