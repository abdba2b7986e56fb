const { NodeOperationError } = require('n8n-workflow');

/** Per item: a request with the credential, a file, a hint or an error. For the test engine's own tests. */
class FixtureAction {
	description = {
		name: 'fixtureAction',
		displayName: 'Fixture Action',
		group: ['transform'],
		version: [1, 2],
		description: 'Shows the test engine at work',
		defaults: { name: 'Fixture Action' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'fixtureApi' }, { name: 'fixtureOAuth2Api' }],
		properties: [
			{
				displayName: 'Do',
				name: 'do',
				type: 'options',
				options: ['echo', 'request', 'upperCaseFile', 'fail'].map((value) => ({
					name: value,
					value,
				})),
				default: 'echo',
			},
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'Credential', name: 'credential', type: 'string', default: 'fixtureApi' },
			{ displayName: 'Text', name: 'text', type: 'string', default: 'nothing' },
		],
	};

	async execute() {
		const items = this.getInputData();
		const result = [];
		for (let index = 0; index < items.length; index++) {
			const pairedItem = { item: index };
			try {
				result.push({ ...(await perform(this, index)), pairedItem });
			} catch (error) {
				if (!this.continueOnFail()) throw error;
				result.push({ json: { error: error.message }, pairedItem });
			}
		}
		return [result];
	}
}

async function perform(context, index) {
	const text = context.getNodeParameter('text', index);
	switch (context.getNodeParameter('do', index)) {
		case 'request':
			return {
				json: await context.helpers.httpRequestWithAuthentication.call(
					context,
					context.getNodeParameter('credential', index),
					{ method: 'GET', url: context.getNodeParameter('url', index), json: true },
				),
			};
		case 'upperCaseFile': {
			const content = await context.helpers.getBinaryDataBuffer(index, 'data');
			const data = await context.helpers.prepareBinaryData(
				Buffer.from(content.toString().toUpperCase()),
				'out.txt',
				'text/plain',
			);
			return { json: { stored: data.id !== undefined }, binary: { data } };
		}
		case 'fail':
			throw new NodeOperationError(context.getNode(), text, {
				itemIndex: index,
				description: 'What to do about it',
			});
		default:
			context.logger.info(`Echo of ${text}`, { itemIndex: index });
			context.addExecutionHints({ message: `Echoed ${text}`, location: 'outputPane' });
			return { json: { text } };
	}
}

exports.FixtureAction = FixtureAction;
