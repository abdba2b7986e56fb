import { UserError } from 'n8n-workflow';
import { shown } from '../../../../input/enteredValues';

const ADVICE =
	'Enter it as the service shows it, e.g. 123456 or 001E94824_1_5d1c…_20230607. Scan File and Scan URL return it as scanId.';

/**
 * What no scan ID has. Some gateways decode an address and resolve it before they pass it on: there,
 * the ID "../../quarantine/release/1" of a forged callback would turn a Get into a release.
 */
const NOT_IN_AN_ID = /[/\\%\p{Cc}]|^\.{1,2}$/u;

/**
 * A scan id as text, whatever its form: integers, digit strings and composites were all seen.
 * @param value Text, a whole number, or a resource locator in its stored form.
 * @throws UserError for anything else, a blank text, a number too large to be exact, and text that no ID has.
 */
export function scanIdText(value: unknown): string {
	if (typeof value === 'object' && value !== null && 'value' in value) {
		return scanIdText(value.value);
	}
	if (typeof value === 'number' && !Number.isSafeInteger(value)) {
		throw new UserError(`The 'Scan' ID ${value} is not a whole number, or too large`, {
			description: `${ADVICE} Pass a number of more than 15 digits as text, or it loses its last digits.`,
		});
	}
	if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') {
		throw new UserError(`The 'Scan' ID is missing`, { description: ADVICE });
	}
	const id = String(value).trim();
	if (id === '') throw new UserError(`The 'Scan' ID is empty`, { description: ADVICE });
	if (NOT_IN_AN_ID.test(id)) {
		throw new UserError(`The 'Scan' ID ${shown(id)} cannot be used in a URL`, {
			description: `No scan ID has /, \\, % or control characters. ${ADVICE}`,
		});
	}
	return id;
}
