import {
	defaultConsoleHeaders,
	sandboxSecretMarker,
	sandboxSecrets,
	sandboxTokens,
} from '../../../sandbox/fixtures/accounts.cts';

/** Shorter values would be found by chance. */
const SHORTEST = 8;

/** The secrets that a run uses: the sandbox's own, and what the parts add to them. */
export class UsedSecrets {
	private readonly labels = new Map<string, string>();

	constructor() {
		for (const secret of sandboxSecrets()) this.add('a secret of the sandbox', secret);
		for (const [name, value] of Object.entries(defaultConsoleHeaders)) this.add(name, value);
		for (const [name, value] of Object.entries(sandboxTokens)) this.add(`token ${name}`, value);
		this.add('the word that all secrets of the sandbox hold', sandboxSecretMarker);
	}

	/**
	 * Tells of a value that was typed in or sent, a wrong one too.
	 * @param label What to call it in a message, in the place of the value.
	 * @throws Error for a value so short that a search for it would say nothing
	 */
	add(label: string, value: string): void {
		if (value.length < SHORTEST) throw new Error(`${label} is too short to be searched for.`);
		this.labels.set(value, label);
	}

	/** Each value with its label. */
	all(): Array<{ label: string; value: string }> {
		return [...this.labels].map(([value, label]) => ({ label, value }));
	}
}
