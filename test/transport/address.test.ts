import {
	callAddress,
	isSameOrigin,
	pathSegment,
	serviceOrigin,
} from '../../nodes/transport/address';
import type { Call } from '../../nodes/transport/call';

describe('serviceOrigin', () => {
	it.each([
		['https://api.example.com', 'https://api.example.com'],
		['  https://api.example.com \n', 'https://api.example.com'],
		['api.example.com', 'https://api.example.com'],
		['HTTPS://API.Example.COM', 'https://api.example.com'],
		['https://api.example.com/', 'https://api.example.com'],
		['https://api.example.com///', 'https://api.example.com'],
		['https://api.example.com/api/', 'https://api.example.com'],
		['https://api.example.com/api/v1/', 'https://api.example.com'],
		['console.example.com/api/admin-audit-log-entries', 'https://console.example.com'],
		['https://api.example.com:443', 'https://api.example.com'],
		['https://api.example.com:8443', 'https://api.example.com:8443'],
		['localhost:5678', 'https://localhost:5678'],
		['http://localhost:5678', 'http://localhost:5678'],
		['http://127.0.0.1:80', 'http://127.0.0.1'],
		['http://127.1', 'http://127.0.0.1'],
		['http://[::1]:8080', 'http://[::1]:8080'],
		['http://console.localhost', 'http://console.localhost'],
		['https://[2001:db8::1]', 'https://[2001:db8::1]'],
		['https://bücher.example', 'https://xn--bcher-kva.example'],
		['https://api.example.com.', 'https://api.example.com.'],
		['https://10.0.0.1', 'https://10.0.0.1'],
	])('takes %j for %s', (text, origin) => {
		expect(serviceOrigin(text, 'Base URL')).toBe(origin);
	});

	it.each([
		['', 'is empty'],
		['   ', 'is empty'],
		['https://', 'is not a web address'],
		['https://exa mple.com', 'contains a space'],
		['https://example.com\r\nX-Evil: 1', 'contains a space, a line break'],
		['https://example.com\t.evil.com', 'contains a space'],
		['https://example.com\\@evil.com', 'or a backslash'],
		['\\\\evil.com', 'or a backslash'],
		['https://user:pass@example.com', 'contains a user name or password'],
		['user@example.com', 'contains a user name or password'],
		['http://localhost@evil.com', 'contains a user name or password'],
		['http://api.example.com', 'begins with "http://"'],
		['http://localhost.evil.com', 'begins with "http://"'],
		['http://127.0.0.1.evil.com', 'begins with "http://"'],
		['http://localhost.', 'begins with "http://"'],
		['http://10.0.0.1', 'begins with "http://"'],
		['http://[::ffff:127.0.0.1]', 'begins with "http://"'],
		['ftp://example.com', 'begins with "ftp://"'],
		['file:///etc/passwd', 'begins with "file://"'],
		['javascript://example.com', 'begins with "javascript://"'],
		['https://example.com?x=1', 'contains a "?" or "#"'],
		['https://example.com/?', 'contains a "?" or "#"'],
		['https://example.com#', 'contains a "?" or "#"'],
		['https://example.com/console', 'contains the path "/console"'],
		['https://example.com/api/v2', 'contains the path "/api/v2"'],
		['https://example.com/api/v1/../../x', 'contains the path "/x"'],
		['https:/example.com', 'contains the path "/example.com"'],
		['https://example.com:99999', 'is not a web address'],
		['https://example.com:port', 'is not a web address'],
		['https://[::1', 'is not a web address'],
		['javascript:alert(1)', 'is not a web address'],
		['https://exa<mple.com', 'is not a web address'],
		['[object Object]', 'contains a space'],
	])('refuses %j: %s', (text, what) => {
		expect(() => serviceOrigin(text, 'Base URL')).toThrow(`The 'Base URL' of the credential`);
		expect(() => serviceOrigin(text, 'Base URL')).toThrow(what);
	});

	it('says in every refusal what to enter', () => {
		for (const text of ['', 'a b', 'http://example.com', 'https://example.com/x']) {
			expect(() => serviceOrigin(text, 'Base URL')).toThrow(
				expect.objectContaining({ description: expect.stringMatching(/https:\/\//) }),
			);
		}
	});

	it('does not repeat a password that stands in the address', () => {
		expect(() => serviceOrigin('https://user:hunter22@example.com', 'Base URL')).toThrow(
			expect.objectContaining({ message: expect.not.stringContaining('hunter22') }),
		);
	});
});

describe('pathSegment', () => {
	it.each([
		['123', '123'],
		['a/b', 'a%2Fb'],
		['../admin', '..%2Fadmin'],
		['%2e%2e', '%252e%252e'],
		['%2F', '%252F'],
		['...', '...'],
		['. ', '.%20'],
		['a?b#c', 'a%3Fb%23c'],
		['a\\b', 'a%5Cb'],
		['a\r\nHost: evil', 'a%0D%0AHost%3A%20evil'],
		['a\u0000b', 'a%00b'],
		['ü', '%C3%BC'],
		['😀', '%F0%9F%98%80'],
		['a;b=c', 'a%3Bb%3Dc'],
	])('encodes %j as %s', (value, segment) => {
		expect(pathSegment(value)).toBe(segment);
		const path = new URL(`https://host.example/x/${segment}/y`).pathname;
		expect(path.split('/')).toStrictEqual(['', 'x', segment, 'y']);
	});

	it.each(['', ' ', '\t\n', '\u00a0', '.', '..', '\ud800', 'a\udc00'])('refuses %j', (value) => {
		expect(pathSegment(value)).toBeUndefined();
	});
});

describe('callAddress', () => {
	const call: Call = {
		method: 'GET',
		path: '/api/v1/scans/{scanId}/',
		idempotent: true,
		purpose: 'get the scan',
	};

	it('fills in path values as one segment each and leaves empty query values out', () => {
		expect(
			callAddress('https://host.example', {
				...call,
				pathValues: { scanId: 'a/b' },
				query: { limit: 1, all: false, since: 'a b&c', none: undefined, empty: '' },
			}),
		).toBe('https://host.example/api/v1/scans/a%2Fb/?limit=1&all=false&since=a+b%26c');
	});

	it('leaves the question mark out where there is no query', () => {
		expect(callAddress('https://host.example', { ...call, path: '/x', query: { a: '' } })).toBe(
			'https://host.example/x',
		);
	});

	it.each<[Record<string, string> | undefined]>([
		[undefined],
		[{}],
		[{ scanId: '..' }],
		[{ scanId: '' }],
	])('refuses %j as path values', (values) => {
		expect(() => callAddress('https://host.example', { ...call, pathValues: values })).toThrow(
			'Could not get the scan: the ID cannot be part of an address',
		);
	});
});

describe('isSameOrigin', () => {
	const origin = 'https://api.example.com';

	it.each([
		'https://api.example.com/x?y',
		'https://api.example.com:443/',
		'HTTPS://API.EXAMPLE.COM',
	])('holds for %s', (address) => expect(isSameOrigin(origin, address)).toBe(true));

	it.each([
		'http://api.example.com/',
		'https://api.example.com:8443/',
		'https://api.example.com.evil.com/',
		'https://api.example.com@evil.com/',
		'https://api.example.com\\@evil.com/',
		'https://evil.com/https://api.example.com',
		'//api.example.com/',
		'/relative',
		'',
		'data:text/html,x',
	])('does not hold for %j', (address) => {
		const expected = address === 'https://api.example.com\\@evil.com/';
		expect(isSameOrigin(origin, address)).toBe(expected);
	});
});
