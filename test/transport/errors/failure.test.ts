import { failures, statusFailure } from '../../../transport/errors/failure';

const NAMED: Record<number, string> = {
	401: 'unauthorized',
	402: 'paymentRequired',
	403: 'forbidden',
	404: 'notFound',
	405: 'methodNotAllowed',
	407: 'proxyRefused',
	408: 'unavailable',
	425: 'unavailable',
	460: 'unavailable',
	499: 'unavailable',
	409: 'conflict',
	410: 'notFound',
	413: 'tooLargeForService',
	429: 'rateLimited',
	502: 'unavailable',
	503: 'unavailable',
	504: 'unavailable',
};

function expected(status: number): string | undefined {
	if (NAMED[status]) return NAMED[status];
	if ([300, 301, 302, 303, 307, 308].includes(status)) return 'redirect';
	const family: Record<number, string | undefined> = {
		2: undefined,
		4: 'badRequest',
		5: 'serverFault',
	};
	const hundreds = Math.floor(status / 100);
	return hundreds in family ? family[hundreds] : 'unexpectedStatus';
}

it('gives every status its failure', () => {
	for (let status = 100; status < 1000; status++) {
		expect([status, statusFailure(status)]).toStrictEqual([status, expected(status)]);
	}
});

it.each([0, -1, NaN, 99, 600, 999])('is not confused by the status %d', (status) => {
	expect(statusFailure(status)).toBe('unexpectedStatus');
});

describe.each(Object.entries(failures))('the text of %s', (_, { message, advice }) => {
	it('says what happened and what to do, in sentences without leftovers', () => {
		expect(message).toMatch(/^(Could not|Did not) \{purpose\}: /);
		expect(message).not.toMatch(/\.$/);
		expect(advice).toMatch(/\.$/);
		for (const [, name] of `${message} ${advice}`.matchAll(/\{(\w+)\}/g)) {
			expect(['purpose', 'service', 'detail']).toContain(name);
		}
	});

	it('keeps to the words that n8n asks for', () => {
		const others = advice.replace(/^The problem is on the service's side/, '');
		expect(`${message} ${others}`).not.toMatch(/\b(error|problem|failure)\b/i);
	});
});

it('knows no service and no operation', () => {
	const words = /scan|console|license|audit|verdict|MB/i;
	for (const { message, advice } of Object.values(failures)) {
		expect(`${message} ${advice}`).not.toMatch(words);
	}
});
