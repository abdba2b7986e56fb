import { expectCost } from '../../support/expectCost.cts';
import {
	chosenVerdict,
	severityRank,
	verdictCode,
	verdictOptions,
	verdictWord,
} from '../../../services/scanning/verdict';

describe('a verdict', () => {
	it.each([
		['MAL', 'malicious'],
		['SPM', 'spam'],
		['BLK', 'restricted'],
		['SUS', 'suspicious'],
		['CLN', 'clean'],
	])('%s is %s, both ways', (code, word) => {
		expect(verdictWord(code)).toBe(word);
		expect(verdictCode(word)).toBe(code);
	});

	it('passes through unchanged when it is not known', () => {
		expect(verdictWord('NEW')).toBe('NEW');
		expect(verdictCode('novel')).toBe('novel');
		expect(verdictWord('mal')).toBe('malicious');
		expect(verdictWord('cln')).toBe('cln');
	});

	it('is looked at in no time, however long it is', async () => {
		// In lower case, each of these letters becomes two.
		const long = 'İ'.repeat(5_000_000);
		await expectCost(1, () => {
			for (let times = 0; times < 20; times++) expect(verdictWord(long) === long).toBe(true);
		});
	});

	it('can be chosen by word or code, in any case', () => {
		const malicious = { code: 'MAL', word: 'malicious' };
		expect(chosenVerdict('malicious', 'Verdict')).toStrictEqual(malicious);
		expect(chosenVerdict(' mal ', 'Verdict')).toStrictEqual(malicious);
	});

	it.each(['', 'harmless', 'mali', null, undefined, 5, {}])('refuses %p as a choice', (value) => {
		expect(() => chosenVerdict(value, 'Expected Verdict')).toThrow(/'Expected Verdict'.*not known/);
	});

	it('is offered in alphabetical order', () => {
		expect(verdictOptions.map(({ value }) => value)).toStrictEqual([
			'clean',
			'malicious',
			'restricted',
			'spam',
			'suspicious',
		]);
	});

	it('ranks malicious as the worst, and lets nothing unknown pass for clean', () => {
		const codes = ['CLN', 'cln', 'SUS', 'SPM', 'BLK', 'MAL'];
		expect([...codes].sort((a, b) => severityRank(a) - severityRank(b))).toStrictEqual([
			'MAL',
			'BLK',
			'SPM',
			'SUS',
			'cln',
			'CLN',
		]);
		expect(severityRank(undefined)).toBeLessThan(severityRank('CLN'));
	});
});
