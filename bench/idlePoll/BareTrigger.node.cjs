const { join } = require('node:path');

/**
 * The least that a polling trigger of the audit log has to do: n8n reads the credential and sends one
 * request, and what is on the page is compared with the IDs of the poll before. No failure, limit,
 * page or time is looked after. The careful one does the least that must not be left out: it follows no
 * redirect, ends a request that is not answered, checks an answer before it parses it, and cuts out
 * the credential. Its class is named as n8n's loader wants it: like the file.
 */
class BareTrigger {
	description = {
		displayName: 'Bare Trigger',
		name: 'bareTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Measured beside the trigger',
		defaults: { name: 'Bare Trigger' },
		polling: true,
		inputs: [],
		outputs: ['main'],
		credentials: [{ name: 'browserConsoleHeadersApi', required: true }],
		properties: [{ displayName: 'Checks', name: 'checks', type: 'string', default: '' }],
	};

	async poll() {
		const stored = this.getWorkflowStaticData('node');
		const type = 'browserConsoleHeadersApi';
		const data = await this.getCredentials(type);
		const checks = this.getNodeParameter('checks');
		const end = new AbortController();
		const options = checks ? { ...CAREFULLY, abortSignal: end.signal } : { json: true };
		const answer = await this.helpers.httpRequestWithAuthentication.call(
			this,
			type,
			{ url: `${data.consoleUrl}/api/admin-audit-log-entries?limit=100`, ...options },
			// Else n8n would read and decrypt it a second time.
			checks ? { credentialsDecrypted: { id: '', name: '', type, data } } : undefined,
		);
		const page = checks ? await checked(checks, data, answer) : answer;
		const seen = new Set(stored.ids);
		const found = page.items.filter(({ auditlogId }) => !seen.has(auditlogId));
		if (found.length === 0) return null;
		stored.ids = page.items.map(({ auditlogId }) => auditlogId);
		return [found.map((json) => ({ json }))];
	}
}

const CAREFULLY = {
	encoding: 'stream',
	returnFullResponse: true,
	disableFollowRedirect: true,
	ignoreHttpStatusErrors: true,
	timeout: 120_000,
};

/** @param transport Folder of this package's compiled transport, whose checks it takes. */
async function checked(transport, { headers }, { body }) {
	const { parseExactJson } = require(join(transport, 'exactJson.js'));
	const { withoutTokens } = require(join(transport, 'withoutTokens.js'));
	const bytes = Buffer.concat(await body.toArray());
	const tokens = headers.values.map(({ value }) => value);
	return withoutTokens(parseExactJson(bytes).value, tokens, bytes);
}

module.exports = { BareTrigger };
