import * as fc from 'fast-check';
import { callAddress, isSameOrigin, pathSegment } from '../../transport/address';
import type { Call } from '../../transport/call';
import { propertyRuns } from '../support/propertyRuns.cts';

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

	it('refuses one of over 2,000 characters', () => {
		expect(pathSegment('x/'.repeat(1000))).toBeDefined();
		expect(pathSegment('x'.repeat(2001))).toBeUndefined();
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
		'x\\y/../../users',
		'x/.\t./.%09./users',
		'.. /users',
		'..?x',
		'..%23',
		'a%2fb/%2e%2e/.%2E/users',
		';%5ca/..\\..',
		'a//../..',
	])('refuses %j, which a gateway may resolve to another place', (value) => {
		expect(pathSegment(value)).toBeUndefined();
	});
});

/** Whether a gateway finds its way above the place where a path begins, as it decodes and divides it. */
function climbsAt(
	id: string,
	gateway: { decodes: string[]; divides: string[]; strips: boolean; parses: boolean },
) {
	const decoded = gateway.decodes.reduce(
		(text, code) => text.replace(new RegExp(code, 'gi'), decodeURIComponent(code)),
		id,
	);
	const path = gateway.parses ? decoded.replace(/\t/g, '').split(/[?#]/, 1)[0] : decoded;
	const parts = gateway.divides.reduce(
		(found, sign) => found.flatMap((part) => part.split(sign)),
		path.split('/'),
	);
	let level = 0;
	return parts
		.map((part) => (gateway.strips ? part.split(';', 1)[0].trim() : part))
		.filter((part) => part !== '' && part !== '.')
		.some((part) => (level += part === '..' ? -1 : 1) < 0);
}

it('what is accepted leads above its place in no gateway', () => {
	const pieces = [
		'a',
		'b',
		'..',
		'.',
		'/',
		'\\',
		';',
		'%2f',
		'%5c',
		'%3b',
		'%2e',
		'%2E',
		' ',
		'\t',
		'?',
		'#',
	];
	const gateway = fc.record({
		decodes: fc.subarray(['%2e', '%2f', '%5c', '%3b']),
		divides: fc.subarray(['\\']),
		strips: fc.boolean(),
		parses: fc.boolean(),
	});
	fc.assert(
		fc.property(
			fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 12 }),
			gateway,
			(drawn, goesBy) => {
				const id = drawn.join('');
				if (pathSegment(id) !== undefined) expect([id, climbsAt(id, goesBy)]).toEqual([id, false]);
			},
		),
		propertyRuns(3000),
	);
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
