import { isSelected } from '../../../../nodes/ContentScan/trigger/feedSettings';

const byDefault = ['malicious', 'suspicious', 'restricted', 'other'];

it.each([
	['MAL', true],
	['mal', true],
	['NEW', true],
	['', true],
	['CLN', false],
	['SPM', false],
	['cln', true],
	['Clean', true],
])('with the default verdicts, %j starts the workflow: %j', (code, starts) => {
	expect(isSelected(byDefault, code)).toBe(starts);
});

it('with no verdict selected, every scan starts the workflow', () => {
	expect(isSelected([], 'CLN')).toBe(true);
});
