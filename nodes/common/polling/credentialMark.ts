import { hash, randomBytes } from 'crypto';
import { isRecord } from '../../../transport/isRecord';

/** What a stored position remembers of the credential it was read with: too little to guess a strong secret from. */
export interface CredentialMark {
	salt: string;
	digest: string;
}

/** Which credential a log is read with. */
export interface ReadingCredential {
	mark: CredentialMark;
	/** Whether it is another than the one that the stored position was read with. */
	isOther: boolean;
}

/** 48 bits in base64. */
function markOf(credential: string, salt: string): CredentialMark {
	const digest = hash('sha256', `${salt} ${credential}`, 'base64').slice(0, 8);
	return { salt, digest };
}

/**
 * @param known What the stored position remembers; `undefined` for one that remembers none.
 * @param credential What tells one credential from another.
 */
export function recognized(
	known: CredentialMark | undefined,
	credential: string,
): ReadingCredential {
	const mark = markOf(credential, known?.salt ?? randomBytes(9).toString('base64'));
	return { mark, isOther: known !== undefined && known.digest !== mark.digest };
}

export function isCredentialMark(value: unknown): value is CredentialMark {
	return isRecord(value) && typeof value.salt === 'string' && typeof value.digest === 'string';
}
