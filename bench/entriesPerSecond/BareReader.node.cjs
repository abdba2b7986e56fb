const { join } = require('node:path');

/**
 * The least that a polling trigger does to read the whole log as text: n8n sends a request for each
 * page and parses it, and each entry becomes a line. Nothing is compared, remembered, bounded or
 * looked after. The careful one does the least that must not be left out: it checks an answer before
 * it parses it, cuts out the credential, and keeps what is new, with its ID and time, until the end.
 * Its class is named as n8n's loader wants it: like the file.
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
			{ displayName: 'Checks', name: 'checks', type: 'string', default: '' },
		],
	};

	async poll() {
		const type = 'browserConsoleHeadersApi';
		const data = await this.getCredentials(type);
		// Else n8n would read and decrypt it for each page, which takes 30 ms.
		const credentialsDecrypted = { id: '', name: '', type, data };
		const textSize = this.getNodeParameter('textSize');
		const qs = { limit: this.getNodeParameter('pageSize') };
		const texts = [''];
		const addLine = (entry) => {
			if (texts[0].length >= textSize) texts.unshift('');
			texts[0] += `${JSON.stringify(entry)}\n`;
		};
		const checks = this.getNodeParameter('checks');
		const parsed = checks ? careful(checks, data) : (bytes) => JSON.parse(bytes.toString());
		const known = new Map();
		do {
			const stream = await this.helpers.httpRequestWithAuthentication.call(
				this,
				type,
				{ url: `${data.consoleUrl}/api/admin-audit-log-entries`, qs, encoding: 'stream' },
				{ credentialsDecrypted },
			);
			const page = parsed(Buffer.concat(await stream.toArray()));
			for (const entry of page.items) {
				const { auditlogId: id, createdAt } = entry;
				if (!checks) addLine(entry);
				else if (!known.has(id)) known.set(id, { entry, time: Date.parse(createdAt) });
			}
			qs.pageToken = page.nextPageToken;
		} while (qs.pageToken);
		for (const { entry } of known.values()) addLine(entry);
		return [texts.reverse().map((text) => ({ json: { text } }))];
	}
}

/** @param transport Folder of this package's compiled transport, whose checks it takes. */
function careful(transport, { headers }) {
	const { parseExactJson } = require(join(transport, 'exactJson.js'));
	const { withoutTokens } = require(join(transport, 'withoutTokens.js'));
	const tokens = headers.values.map(({ value }) => value);
	return (bytes) => withoutTokens(parseExactJson(bytes).value, tokens, bytes);
}

module.exports = { BareReader };
