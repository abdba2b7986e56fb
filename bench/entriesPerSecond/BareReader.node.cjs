/**
 * The least that a polling trigger does to read the whole log as text: n8n sends a request for each
 * page and parses it, and each entry becomes a line. Nothing is compared, remembered, bounded or
 * looked after. Its class is named as n8n's loader wants it: like the file.
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
		do {
			const stream = await this.helpers.httpRequestWithAuthentication.call(
				this,
				type,
				{ url: `${data.consoleUrl}/api/admin-audit-log-entries`, qs, encoding: 'stream' },
				{ credentialsDecrypted },
			);
			const page = JSON.parse(Buffer.concat(await stream.toArray()).toString());
			for (const entry of page.items) {
				if (texts[0].length >= textSize) texts.unshift('');
				texts[0] += `${JSON.stringify(entry)}\n`;
			}
			qs.pageToken = page.nextPageToken;
		} while (qs.pageToken);
		return [texts.reverse().map((text) => ({ json: { text } }))];
	}
}

module.exports = { BareReader };
