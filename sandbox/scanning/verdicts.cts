import { eicarTestFile, sampleLines, spamTestFile } from '../fixtures/samples.cts';

/** The codes of public material: malicious, spam, restricted, suspicious, clean. */
export const verdictCodes = ['MAL', 'SPM', 'BLK', 'SUS', 'CLN'] as const;
export type VerdictCode = (typeof verdictCodes)[number];

export function isVerdictCode(value: unknown): value is VerdictCode {
	return verdictCodes.some((code) => code === value);
}

/** Verdicts on which an email is held back; which ones do that is the sandbox's own choice. */
export function isHeldBack(verdict: string): boolean {
	return verdict === 'MAL' || verdict === 'SPM' || verdict === 'BLK';
}

/** The last one is a code that nobody documents. */
const wordsInAddresses: ReadonlyArray<readonly [string, string]> = [
	['malware', 'MAL'],
	['phishing', 'MAL'],
	['eicar', 'MAL'],
	['spam', 'SPM'],
	['restricted', 'BLK'],
	['suspicious', 'SUS'],
	['undocumented', 'NEW'],
];

/**
 * Verdict of an address: on a host that ends in the reserved `.example`, a telling word decides;
 * every other address is clean. Nothing is ever fetched.
 */
export function verdictOfUrl(address: string): string {
	const host = URL.canParse(address) ? new URL(address).hostname : '';
	if (!host.endsWith('.example')) return 'CLN';
	return verdictOfWords(address);
}

/** Verdict of a name in storage, by the same words. */
export function verdictOfWords(text: string): string {
	const lower = text.toLowerCase();
	return wordsInAddresses.find(([word]) => lower.includes(word))?.[1] ?? 'CLN';
}

const signatures: ReadonlyArray<readonly [Buffer, string]> = [
	[eicarTestFile(), 'MAL'],
	[spamTestFile(), 'SPM'],
	[Buffer.from(sampleLines.suspicious), 'SUS'],
	[Buffer.from(sampleLines.undocumented), 'NEW'],
];
const longest = Math.max(...signatures.map(([signature]) => signature.length));

/** Looks for the test signatures in a content that passes by in pieces, wherever it is cut. */
export class ContentInspector {
	private tail = Buffer.alloc(0);
	private found = 'CLN';

	add(piece: Buffer): void {
		const seam = Buffer.concat([this.tail, piece.subarray(0, longest)]);
		this.look(seam);
		this.look(piece);
		const end = piece.length >= longest ? piece : Buffer.concat([this.tail, piece]);
		this.tail = Buffer.from(end.subarray(-(longest - 1)));
	}

	get verdict(): string {
		return this.found;
	}

	private look(bytes: Buffer): void {
		if (this.found !== 'CLN') return;
		this.found = signatures.find(([signature]) => bytes.includes(signature))?.[1] ?? 'CLN';
	}
}
