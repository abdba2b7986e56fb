import type { IAdditionalCredentialOptions } from 'n8n-workflow';
import { connectConsole, consoles } from '../../../services/console/consoleService';
import type { ConsoleAuthentication } from '../../../services/console/consoleService';
import type { RequestContext } from '../../../transport/connection';
import { consoleNode as node } from '../../support/consoleNode.cts';
import type { CallQueue } from '../../../transport/queue/callQueue';
import { FakeClock } from '../../support/fakeClock.cts';
import { streamOf } from '../../support/streamOf.cts';

const credential = {
	consoleUrl: 'https://console.example.com',
	headers: { values: [{ name: 'X-Key', value: 'TOP-SECRET-1' }] },
	clientId: 'client',
	clientSecret: 'TOP-SECRET-2',
	oauthTokenData: { access_token: 'TOP-SECRET-3', token_type: 'bearer', scope: 'read' },
};

/** What n8n is handed with each of two requests. */
async function handedOver(authentication: ConsoleAuthentication) {
	const handed: Array<IAdditionalCredentialOptions | undefined> = [];
	const context = {
		getNode: () => node,
		getCredentials: async () => credential,
		helpers: {
			httpRequestWithAuthentication: async (
				_type: string,
				_request: unknown,
				options?: IAdditionalCredentialOptions,
			) => {
				handed.push(options);
				return {
					statusCode: 200,
					headers: {},
					body: Object.assign([], { destroy: () => {}, on: () => {}, prependListener: () => {} }),
				};
			},
		},
	} as unknown as RequestContext;
	const { service } = await connectConsole(context, authentication);
	const call = { method: 'GET', path: '/entries', idempotent: true, purpose: 'read' } as const;
	await service.send(call);
	await service.send(call);
	return handed;
}

const credentialsIn = (handed: Array<IAdditionalCredentialOptions | undefined>) =>
	handed.map((options) => options?.credentialsDecrypted?.data);

it('hands the headers to n8n with each request, so that n8n need not read them again', async () => {
	expect(credentialsIn(await handedOver('headers'))).toStrictEqual([credential, credential]);
});

it('leaves an OAuth2 credential to n8n, which renews its token', async () => {
	const handed = await handedOver('oAuth2');
	expect(credentialsIn(handed)).toStrictEqual([undefined, undefined]);
	// With a type that n8n does not know, it would put the token into the address.
	expect(handed.map((options) => options?.oauth2?.tokenType)).toStrictEqual(['Bearer', 'Bearer']);
});

it.each<[ConsoleAuthentication, Array<number | undefined>]>([
	['headers', [0, 1]],
	// n8n takes the token of an OAuth2 credential from the first item, so the rest of it is of that, too.
	['oAuth2', [undefined, undefined]],
])('reads a credential with %s for the items %j', async (authentication, expected) => {
	const asked: Array<number | undefined> = [];
	const getCredentials = async (_type: string, itemIndex?: number) => {
		asked.push(itemIndex);
		return credential;
	};
	const context = { getNode: () => node, getCredentials } as unknown as RequestContext;
	const consoleOf = consoles(context, authentication);
	const [first, second] = [await consoleOf(0), await consoleOf(1)];
	expect(asked).toEqual(expected);
	expect(second).toBe(first);
});

/** What comes of an answer that was asked for with a header. */
async function answerWith(
	header: { name: string; value: string },
	sent: object,
	statusCode = 200,
): Promise<unknown> {
	const context = {
		getNode: () => node,
		getCredentials: async () => ({ ...credential, headers: { values: [header] } }),
		helpers: {
			httpRequestWithAuthentication: async () => ({
				statusCode,
				headers: {},
				body: streamOf(JSON.stringify(sent)),
			}),
		},
	} as unknown as RequestContext;
	const { service } = await connectConsole(context, 'headers');
	const call = { method: 'GET', path: '/x', idempotent: true, purpose: 'read' } as const;
	return (await service.send(call)).body;
}

it.each([
	['Authorization', 'Bearer TOP-SECRET-5', 'TOP-SECRET-5'],
	['Authorization', 'ApiKey key="TOP-SECRET-6"', 'TOP-SECRET-6'],
	['Authorization', `Basic ${Buffer.from('svc:TOP-SECRET-7').toString('base64')}`, 'TOP-SECRET-7'],
	[
		'Authorization',
		`Basic ${Buffer.from('svc:Pässwört-7', 'latin1').toString('base64')}`,
		'Pässwört-7',
	],
	['Authorization', `Basic ${Buffer.from('sk_live_12345:').toString('base64')}`, 'sk_live_12345'],
	[
		'Authorization',
		`Basic ${Buffer.from('sk_live_12345:api_token\n').toString('base64')}`,
		'sk_live_12345',
	],
	['Authorization', `Basic ${Buffer.from(':TOP-SECRET-7').toString('base64')}`, 'TOP-SECRET-7'],
	['Cookie', 'sessionid=TOP-SECRET-8; lang=en', 'TOP-SECRET-8'],
	['Cookie', 'PHPSESSID=abcdefghijklmnopqrstuvwxyz; a=1', 'abcdefghijklmnopqrstuvwxyz'],
	['Cookie', 'sid=31415926535897932384626433', '31415926535897932384626433'],
	['X-Access-Token', 'TOP-SECRET-9==', 'TOP-SECRET-9=='],
	['Authorization', 'Bearer 1234567890123456', '1234567890123456'],
	['Authorization', 'Bearer abcdefghijklmnopqrst', 'abcdefghijklmnopqrst'],
	['Authorization', 'ApiToken bob@example.com:s3cr3tValue99', 'bob@example.com:s3cr3tValue99'],
	['Authorization', 'Token 2026-11-26-9f8e7d6c5b', '2026-11-26-9f8e7d6c5b'],
])(
	'cuts the secret inside the header %s: %s out of entries, and no word beside it',
	async (name, value, secret) => {
		const body = await answerWith({ name, value }, { sessionid: `Authorization of ${secret}` });
		expect(body).toStrictEqual({ sessionid: 'Authorization of [redacted]' });
	},
);

it.each<ConsoleAuthentication>(['headers', 'oAuth2'])(
	'sends nothing but GET with %s',
	async (authentication) => {
		const request = jest.fn();
		const context = {
			getNode: () => node,
			getCredentials: async () => credential,
			helpers: { httpRequestWithAuthentication: request },
		} as unknown as RequestContext;
		const { service } = await connectConsole(context, authentication);
		const call = { method: 'POST', path: '/x', idempotent: true, purpose: 'read' } as const;
		await expect(service.send(call)).rejects.toThrow('the console is read only');
		expect(request).not.toHaveBeenCalled();
	},
);

it.each([
	...['X-Access', 'X-Auth', 'X-Bearer', 'X-Cookies', 'X-Cred', 'X-Jwt', 'X-Key', 'X-Pass', 'X-Pwd'],
	...['X-Secret', 'X-Session', 'X-Signature', 'X-Token'],
])(
	'cuts the value of the header %s out of entries: docs/security.md names its word',
	async (name) => {
		const body = await answerWith({ name, value: 'TOP-SECRET-8' }, { echo: 'TOP-SECRET-8' });
		expect(body).toStrictEqual({ echo: '[redacted]' });
	},
);

it.each(['12345678901234', 'a'.repeat(21)])(
	'cuts what is longer than a word or a number out: %s',
	async (part) => {
		const body = await answerWith({ name: 'Cookie', value: `a=1; visits=${part}` }, { echo: part });
		expect(body).toStrictEqual({ echo: '[redacted]' });
	},
);

it('leaves in entries who signs in with the credential', async () => {
	const actor = 'admin@example.com';
	const body = await answerWith({ name: 'X-Auth-Email', value: actor }, { actor });
	expect(body).toStrictEqual({ actor: 'admin@example.com' });
});

it.each([
	[
		'Cookie',
		'JSESSIONID=TOP-SECRET-8; user=alice@example.com; tenant=acme-europe; theme=dark-mode',
	],
	['Cookie', 'sid=TOP-SECRET-8; client_ip=alice@example.com; tenantId=acme-europe; tz=dark-mode'],
	['X-Author', 'alice@example.com'],
	['authority', 'acme-europe'],
	['X-Keyboard-Layout', 'acme-europe'],
])('leaves in entries who signs in, and where, with the header %s', async (name, value) => {
	const entry = { actor: 'alice@example.com', tenant: 'acme-europe', theme: 'dark-mode' };
	expect(await answerWith({ name, value }, { ...entry })).toStrictEqual(entry);
});

it.each([
	['X-Auth-Email', 'admin@example.com'],
	['CF-Access-Client-Id', '88bf3b6d86161464.access'],
	['X-Tenant', 'acme-europe'],
])('cuts the value of the header %s out of an error: %s', async (name, value) => {
	const encoded = Buffer.from(value).toString('base64');
	const sent = answerWith({ name, value }, { detail: `${value} (${encoded}) may not read` }, 400);
	await expect(sent).rejects.toMatchObject({
		description: expect.stringContaining('"[redacted] ([redacted]) may not read"'),
	});
});

it.each([
	[
		'Cookie',
		'JSESSIONID=TOP-SECRET-8; consent=accepted; login=admin@example.com; ajs_user_id=12345678; last_visit=2026-11-26',
	],
	['Cookie', 'sid=TOP-SECRET-8; cookie_consent=accepted; cookie-notice=12345678'],
	['X-Auth-Type', 'accepted'],
	['X-Auth-Date', '2026-11-26'],
	['X-Auth-Time', '2026-11-26T10:00:00Z'],
	['X-Auth-Time', '2026-11-26 10:00:00'],
	['X-Auth-Date', 'Thu, 26 Nov 2026 10:00:00 GMT'],
])('leaves in entries what is no secret in a copied header %s', async (name, value) => {
	const entry = {
		createdAt: '2026-11-26T10:00:00Z',
		outcome: 'accepted',
		actor: 'admin@example.com',
		userId: '12345678',
	};
	expect(await answerWith({ name, value }, { ...entry })).toStrictEqual(entry);
	const session = await answerWith({ name: 'Cookie', value: 'a=1; sid=accepted' }, { ...entry });
	expect(session).toStrictEqual(entry);
	const named = await answerWith({ name: 'Cookie', value: 'a=1; token=accepted' }, { ...entry });
	expect(named).toMatchObject({ outcome: '[redacted]' });
});

it.each(["Token token='TOP-SECRET-8'", '$a|b=TOP-SECRET-8'])(
	'cuts the secret inside a header out of entries however it is written: %s',
	async (value) => {
		const body = await answerWith({ name: 'Authorization', value }, { is: 'TOP-SECRET-8' });
		expect(body).toStrictEqual({ is: '[redacted]' });
	},
);

it('keeps the secrets of a service account out of an error, and every other word in it', async () => {
	const detail =
		'The bearer TOP-SECRET-3, now TOP-SECRET-4, then TOP-SECRET-5, of TOP-SECRET-2 (1234567890) may not read';
	const renewed = {
		...credential.oauthTokenData,
		access_token: 'TOP-SECRET-4',
		refresh_token: 'TOP-SECRET-5',
		id_token: 1234567890,
	};
	const credentials = [credential, { ...credential, oauthTokenData: renewed }];
	const context = {
		getNode: () => node,
		// n8n has renewed the token when the credential is read again.
		getCredentials: async () => credentials.shift() ?? credential,
		helpers: {
			httpRequestWithAuthentication: async () => ({
				statusCode: 400,
				headers: {},
				body: streamOf(JSON.stringify({ detail })),
			}),
		},
	} as unknown as RequestContext;
	const { service } = await connectConsole(context, 'oAuth2');
	const sent = service.send({ method: 'GET', path: '/x', idempotent: true, purpose: 'read' });
	await expect(sent).rejects.toMatchObject({
		description: expect.stringContaining(
			'"The bearer [redacted], now [redacted], then [redacted], of [redacted] ([redacted]) may not read"',
		),
	});
});

it.each<[string, object, boolean]>([
	['a field that n8n adds to its type', { sendAdditionalThings: false }, true],
	['another token', { oauthTokenData: { access_token: 'TOP-SECRET-5' } }, true],
	['another secret', { clientSecret: 'TOP-SECRET-6' }, false],
	['another console', { consoleUrl: 'https://other.example.com' }, false],
])('%s: the same credential: %p', async (_, changed: object, isSame) => {
	const marks = [credential, { ...credential, ...changed }].map(async (one) => {
		const context = { getNode: () => node, getCredentials: async () => one };
		return (await connectConsole(context as unknown as RequestContext, 'oAuth2')).credential;
	});
	const [before, after] = await Promise.all(marks);
	expect(after === before).toBe(isSame);
});

describe('the queue', () => {
	const keyOf = async (authentication: ConsoleAuthentication, changed: object = {}) => {
		const context = {
			getNode: () => node,
			getCredentials: async () => ({ ...credential, ...changed }),
		} as unknown as RequestContext;
		const asked = jest.fn<CallQueue, [string]>().mockImplementation(() => {
			throw new Error('not sent');
		});
		const clock = new FakeClock();
		const dependencies = { clock, random: () => 0, queue: asked };
		const { service } = await connectConsole(context, authentication, dependencies);
		const call = { method: 'GET', path: '/entries', idempotent: true, purpose: 'read' } as const;
		await expect(service.send(call)).rejects.toThrow('not sent');
		return asked.mock.calls[0][0];
	};

	it('belongs to an address and the headers', async () => {
		const key = await keyOf('headers');
		const other = { values: [{ name: 'X-Key', value: 'another' }] };
		expect(await keyOf('headers')).toBe(key);
		expect(await keyOf('headers', { headers: other })).not.toBe(key);
		expect(await keyOf('headers', { consoleUrl: 'https://other.example.com' })).not.toBe(key);
	});

	it('belongs to an OAuth2 client, whatever its token is now', async () => {
		const key = await keyOf('oAuth2');
		const renewed = { ...credential.oauthTokenData, access_token: 'another' };
		expect(await keyOf('oAuth2', { oauthTokenData: renewed })).toBe(key);
		expect(await keyOf('oAuth2', { clientId: 'another' })).not.toBe(key);
	});
});

it.each([
	['oAuth2', true],
	['headers', false],
] as const)('a 403 may be of an old access token: with %s, %p', async (authentication, may) => {
	const context = {
		getNode: () => node,
		getCredentials: async () => credential,
		helpers: {
			httpRequestWithAuthentication: async () => {
				const data = streamOf('{}');
				if (authentication === 'headers') return { statusCode: 403, headers: {}, body: data };
				// As n8n throws every status with OAuth2.
				throw Object.assign(new Error('403'), { response: { status: 403, headers: {}, data } });
			},
		},
	} as unknown as RequestContext;
	const { service } = await connectConsole(context, authentication);
	const call = { method: 'GET', path: '/x', idempotent: true, purpose: 'read' } as const;
	const error = await service.send(call).then(
		() => undefined,
		(thrown: { httpCode: string; description: string }) => thrown,
	);
	expect(error).toMatchObject({ httpCode: '403' });
	expect(error?.description.includes('open the credential and save it again')).toBe(may);
});
