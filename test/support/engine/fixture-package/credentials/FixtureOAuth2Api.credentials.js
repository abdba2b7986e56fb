/** Client credentials of n8n's OAuth2, for the test engine's own tests. */
class FixtureOAuth2Api {
	name = 'fixtureOAuth2Api';
	extends = ['oAuth2Api'];
	displayName = 'Fixture OAuth2 API';
	properties = [
		{ displayName: 'Grant Type', name: 'grantType', type: 'hidden', default: 'clientCredentials' },
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
	];

	test = {
		request: { baseURL: '={{ $credentials.baseUrl }}', url: '/me', disableFollowRedirect: true },
	};
}

exports.FixtureOAuth2Api = FixtureOAuth2Api;
