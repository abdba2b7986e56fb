/**
 * `authenticate` in its function form, as this repository's credentials have it. What it does beyond
 * setting the header is told to it by the credential's own fields, for the tests of the test engine.
 */
class FixtureApi {
	name = 'fixtureApi';
	displayName = 'Fixture API';
	properties = [
		{
			displayName: 'Token',
			name: 'token',
			type: 'string',
			typeOptions: { password: true },
			default: '',
		},
		{
			displayName: 'Environment',
			name: 'environment',
			type: 'options',
			options: [
				{ name: 'Custom', value: 'custom' },
				{ name: 'US', value: 'us' },
			],
			default: 'us',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			displayOptions: { show: { environment: ['custom'] } },
			default: 'http://default.localhost',
		},
		{ displayName: 'Moved To', name: 'movedTo', type: 'string', default: '' },
		{ displayName: 'Refuse With', name: 'refuseWith', type: 'string', default: '' },
		{ displayName: 'Path of the Test', name: 'testPath', type: 'string', default: '/me' },
	];

	authenticate = async (credentials, requestOptions) => {
		if (credentials.refuseWith) throw new Error(credentials.refuseWith);
		if (credentials.movedTo) requestOptions.baseURL = credentials.movedTo;
		requestOptions.headers = {
			...requestOptions.headers,
			'x-token': credentials.token,
			// What this function was given, made visible to the server.
			'x-seen-base-url': String(requestOptions.baseURL),
			'x-seen-url': String(requestOptions.url),
			'x-seen-fields': Object.keys(credentials).sort().join(','),
		};
		return requestOptions;
	};

	test = {
		request: {
			baseURL:
				'={{ $credentials.environment === "custom" ? $credentials.baseUrl : "http://us.localhost:1" }}',
			url: '={{ $credentials.testPath }}',
			disableFollowRedirect: true,
		},
		rules: [
			{ type: 'responseCode', properties: { value: 401, message: 'The token is wrong' } },
			{ type: 'responseCode', properties: { value: 302, message: 'The address leads elsewhere' } },
			{
				type: 'responseSuccessBody',
				properties: { key: 'state', value: undefined, message: 'This is another service' },
			},
			{
				type: 'responseSuccessBody',
				properties: { key: 'state.ok', value: false, message: 'The service is not ready' },
			},
		],
	};
}

exports.FixtureApi = FixtureApi;
