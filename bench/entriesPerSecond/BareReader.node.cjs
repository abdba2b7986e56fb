const { join } = require('node:path');

/**
 * Readers of the whole log, measured beside the trigger (`READERS`). The class is named as n8n's loader
 * wants it: like the file.
 */
class BareReader {
	description = {
		displayName: 'Bare Reader',
		name: 'bareReader',
		group: ['trigger'],
		version: 1,
		description: 'Measured beside the trigger',
		defaults: { name: 'Bare Reader' },
		polling: true,
		inputs: [],
		outputs: ['main'],
		credentials: [{ name: 'browserConsoleHeadersApi', required: true }],
		properties: [
			{ displayName: 'Page Size', name: 'pageSize', type: 'number', default: 100 },
			{ displayName: 'Text Size', name: 'textSize', type: 'number', default: 0 },
			{ displayName: 'Reader', name: 'reader', type: 'string', default: 'bare' },
			{ displayName: 'Transport', name: 'transport', type: 'string', default: '' },
		],
	};

	async poll() {
		const type = 'browserConsoleHeadersApi';
		const data = await this.getCredentials(type);
		// Else n8n would read and decrypt it for each page, which takes 30 ms.
		const credentialsDecrypted = { id: '', name: '', type, data };
		const Reader = READERS[this.getNodeParameter('reader')];
		const reader = new Reader(data, this.getNodeParameter('transport'));
		const qs = { limit: this.getNodeParameter('pageSize') };
		do {
			const stream = await this.helpers.httpRequestWithAuthentication.call(
				this,
				type,
				{ url: `${data.consoleUrl}/api/admin-audit-log-entries`, qs, encoding: 'stream' },
				{ credentialsDecrypted },
			);
			qs.pageToken = reader.take(Buffer.concat(await stream.toArray()));
		} while (qs.pageToken);
		const texts = reader.texts(this.getNodeParameter('textSize'));
		return [texts.map((text) => ({ json: { text } }))];
	}
}

/** Has each page parsed. Nothing is compared, remembered, bounded or looked after. */
class Bare {
	entries = [];

	/** @returns The token of the next page, if there is one. */
	take(bytes) {
		const { items, nextPageToken } = JSON.parse(bytes.toString());
		this.entries.push(...items);
		return nextPageToken;
	}

	/** The lines, made after the last page, as the trigger makes them. */
	texts(textSize) {
		const texts = [''];
		for (const entry of this.entries) {
			if (texts[0].length >= textSize) texts.unshift('');
			texts[0] += `${JSON.stringify(entry)}\n`;
		}
		return texts.reverse();
	}
}

/** Checks an answer before it parses it, cuts out the credential, and keeps what is new by its ID. */
class Careful extends Bare {
	known = new Set();

	/** @param transport Folder of this package's compiled transport, whose checks it takes. */
	constructor({ headers }, transport) {
		super();
		const { parseExactJson } = require(join(transport, 'exactJson.js'));
		const { withoutTokens } = require(join(transport, 'withoutTokens.js'));
		const tokens = headers.values.map(({ value }) => value);
		this.parsed = (bytes) => withoutTokens(parseExactJson(bytes).value, tokens, bytes);
	}

	take(bytes) {
		const { items, nextPageToken } = this.parsed(bytes);
		for (const entry of items) {
			const id = entry.auditlogId;
			if (this.known.has(id)) continue;
			this.known.add(id);
			this.entries.push(entry);
		}
		return nextPageToken;
	}
}

/** Has the lines from its first run on, and asks for one page only: what is left is n8n's own time. */
class Free extends Bare {
	static made = new Map();

	constructor({ consoleUrl }) {
		super();
		this.log = consoleUrl;
	}

	take(bytes) {
		return Free.made.has(this.log) ? undefined : super.take(bytes);
	}

	texts(textSize) {
		if (!Free.made.has(this.log)) Free.made.set(this.log, super.texts(textSize));
		return Free.made.get(this.log);
	}
}

const READERS = { bare: Bare, careful: Careful, free: Free };

module.exports = { BareReader };
