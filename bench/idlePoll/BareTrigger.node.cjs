/**
 * The least that a polling trigger of the audit log has to do: n8n reads the credential and sends one
 * request, and what is on the page is compared with the IDs of the poll before. No failure, limit,
 * page or time is looked after. Its class is named as n8n's loader wants it: like the file.
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
		properties: [],
	};

	async poll() {
		const stored = this.getWorkflowStaticData('node');
		const { consoleUrl } = await this.getCredentials('browserConsoleHeadersApi');
		const page = await this.helpers.httpRequestWithAuthentication.call(
			this,
			'browserConsoleHeadersApi',
			{ url: `${consoleUrl}/api/admin-audit-log-entries?limit=100`, json: true },
		);
		const seen = new Set(stored.ids);
		const found = page.items.filter(({ auditlogId }) => !seen.has(auditlogId));
		if (found.length === 0) return null;
		stored.ids = page.items.map(({ auditlogId }) => auditlogId);
		return [found.map((json) => ({ json }))];
	}
}

module.exports = { BareTrigger };
