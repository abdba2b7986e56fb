import { stalePages } from '../../scripts/docs/generatedPages.cts';
import { sourceErrors } from '../../scripts/docs/sourceErrors.cts';

describe('the generated pages', () => {
	it('are as new as the code; if not, run "npm run docs" and commit', () => {
		expect(stalePages()).toEqual([]);
	});

	it.each([
		["The 'URL' is empty", 'Enter the address to scan, e.g. https://www.example.com/.'],
		// By a helper that makes the error, and constants of the file.
		[
			"The '…' of the credential is not a web address",
			'Enter scheme and host only, e.g. "https://host.example.com".',
		],
		// By an object that a check returned.
		['Header … of the credential has no value', 'Enter its value, or remove the row.'],
		// By a function that was handed over.
		[
			"'Start Date' is not a date",
			'It is …. Enter a date and time, e.g. "2026-01-31T12:00:00.000Z". Nothing was read, and the stored position is unchanged.',
		],
	])('find what the code raises: %s', (message, advice) => {
		expect(sourceErrors()).toContainEqual(expect.objectContaining({ message, advice }));
	});
});
