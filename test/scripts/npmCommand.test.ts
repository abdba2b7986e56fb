import { explainNpmFailure } from '../../scripts/npmCommand.cjs';

describe('the explanation of a failed npm', () => {
	it.each([
		['npm error code ENOTFOUND', 'registry does not answer'],
		[
			'npm error network request failed, reason: connect ECONNREFUSED 127.0.0.1:1',
			'registry does not answer',
		],
		['npm error code E404', 'lacks one of the packages'],
		['npm error code ETARGET', 'lacks one of the packages'],
		['npm error nospc ENOSPC: no space left on device', 'the disk is full'],
	])('reads %p', (output, expected) => {
		const { message, advice } = explainNpmFailure('n8n', output);

		expect(message).toContain(`n8n could not be installed: `);
		expect(message).toContain(expected);
		expect(advice).not.toBe('');
	});

	it("leaves what it does not know to npm's own words", () => {
		const { message, advice } = explainNpmFailure('n8n', 'npm error code EUNHEARD');

		expect(message).toBe('n8n could not be installed.');
		expect(advice).toContain('output of npm above');
	});
});
