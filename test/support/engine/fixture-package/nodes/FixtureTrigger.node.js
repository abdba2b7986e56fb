const { NodeApiError } = require('n8n-workflow');

/** Kept in the module, as this repository's trigger keeps its overlap guard: lost with the process. */
let pollsOfThisProcess = 0;

/**
 * Asks a server what to do, telling it the cursor: `{ cursor?, items? }`. The state is set before an
 * error is thrown, to show what n8n does with it. For the test engine's own tests.
 */
class FixtureTrigger {
	description = {
		name: 'fixtureTrigger',
		displayName: 'Fixture Trigger',
		group: ['trigger'],
		version: 1,
		description: 'Shows the test engine at work',
		defaults: { name: 'Fixture Trigger' },
		polling: true,
		inputs: [],
		outputs: ['main'],
		credentials: [{ name: 'fixtureApi' }],
		properties: [{ displayName: 'URL', name: 'url', type: 'string', default: '' }],
	};

	async poll() {
		pollsOfThisProcess += 1;
		const state = this.getWorkflowStaticData('node');
		const budget = typeof this.getPollBudgetMs === 'function' ? this.getPollBudgetMs() : 'absent';
		const answer = await this.helpers.httpRequestWithAuthentication.call(this, 'fixtureApi', {
			url: this.getNodeParameter('url'),
			qs: {
				cursor: state.cursor ?? 'none',
				mode: this.getMode(),
				activation: this.getActivationMode(),
				budget,
				now: Date.now(),
				pollsOfThisProcess,
			},
			json: true,
		});
		if (answer.cursor !== undefined) state.cursor = answer.cursor;
		this.logger.info('Polled', { cursor: state.cursor });
		if (answer.error) {
			throw new NodeApiError(
				this.getNode(),
				{ message: answer.error },
				{ message: answer.error, httpCode: '429' },
			);
		}
		return answer.items ? [this.helpers.returnJsonArray(answer.items)] : null;
	}
}

exports.FixtureTrigger = FixtureTrigger;
