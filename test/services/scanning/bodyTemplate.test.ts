import * as fc from 'fast-check';
import type { TemplateValues } from '../../../services/scanning/bodyTemplate';
import { fillTemplate } from '../../../services/scanning/bodyTemplate';

const values: TemplateValues = {
	scanId: '123456',
	verdict: 'MAL',
	verdictWord: 'malicious',
	reason: 'He said "no" \\ and\nleft',
	comment: 'c',
};

function filled(template: string, changed: Partial<TemplateValues> = {}): unknown {
	return JSON.parse(fillTemplate(template, { ...values, ...changed }, 'template'));
}

describe('a body template', () => {
	it('takes values inside strings, as parts of strings, and bare', () => {
		expect(
			filled(
				'{ "id": {scanId}, "text": "{scanId}", "verdict": "{verdict}", "why": "[{verdictWord}] {reason}!", "bare": {reason} }',
			),
		).toStrictEqual({
			id: 123456,
			text: '123456',
			verdict: 'MAL',
			why: '[malicious] He said "no" \\ and\nleft!',
			bare: values.reason,
		});
	});

	it('takes a reason of digits as text', () => {
		expect(fillTemplate('{"why":{reason}}', { ...values, reason: '42' }, 'f')).toBe('{"why":"42"}');
	});

	it.each([
		['001E94824_1_x', '"001E94824_1_x"'],
		['00123', '"00123"'],
		['12345678901234567890', '12345678901234567890'],
		['-1', '"-1"'],
		['1e5', '"1e5"'],
		['', '""'],
	])('makes a JSON value of the bare id %p: %s', (scanId, json) => {
		expect(fillTemplate('{"id":{scanId}}', { ...values, scanId }, 'f')).toBe(`{"id":${json}}`);
	});

	it('does not end a string at an escaped quote', () => {
		expect(filled('{"a": "say \\"{verdict}\\"", "b": "\\\\", "c": {verdict}}')).toStrictEqual({
			a: 'say "MAL"',
			b: '\\',
			c: 'MAL',
		});
	});

	it('fills nothing after a backslash, which would take the escape off the value', () => {
		const reason = '", "verdict": "CLN';
		expect(() => filled('{"a": "\\{reason}"}', { reason })).toThrow('is not valid JSON');
	});

	it('leaves braces alone that are no placeholder', () => {
		expect(filled('{"a": "{ }", "b": "{1}", "c": {}}')).toStrictEqual({
			a: '{ }',
			b: '{1}',
			c: {},
		});
	});

	it('never fills a placeholder that a value brings along', () => {
		expect(filled('{"a": "{reason}"}', { reason: '{comment}' })).toStrictEqual({ a: '{comment}' });
	});

	it.each(['{"a": "{verdict}"', '{verdict: "x"}', 'verdict={verdict}', '{"a": {verdict}{reason}}'])(
		'is refused when it is not JSON: %s',
		(template) => {
			expect(() => filled(template)).toThrow('The template of the credential is not valid JSON');
		},
	);

	it.each(['{"a": "{raeson}"}', '{"a": {id}}', '{"a": "{toString}"}'])(
		'is refused when it names an unknown placeholder: %s',
		(template) => {
			expect(() => filled(template)).toThrow(/unknown placeholder \{\w+\}/);
		},
	);

	it('keeps every text of a user inside its string', () => {
		const template = '{"reason": "pre {reason} post", "bare": {comment}, "end": true}';
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				expect(filled(template, { reason: text, comment: text })).toStrictEqual({
					reason: `pre ${text} post`,
					bare: text,
					end: true,
				});
			}),
		);
	});
});
