import { callAddress, isSameOrigin, pathSegment } from '../../transport/address';
import type { Call } from '../../transport/call';

describe('pathSegment', () => {
	it.each([
		['123', '123'],
		['a/b', 'a%2Fb'],
		['al/a1/../x', 'al%2Fa1%2F..%2Fx'],
		['al%2e%2e%2fa1', 'al%252e%252e%252fa1'],
		['..a', '..a'],
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

	it.each([
		'../admin',
		'./../admin',
		'a/../../admin',
		'..\\admin',
		'%2e%2e',
		'%2E%2e%2fx',
		'..%5cx',
		'%2e%2e%5Cx',
		'..;/admin',
		'..%3Ba=1%2Fadmin',
		'..;',
		'x%2Fy/../../users',
		';%5ca/..\\..',
		'a//../..',
	])('refuses %j, which a gateway may resolve to another place', (value) => {
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
			'Could not get the scan: the ID cannot be used in a URL',
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
