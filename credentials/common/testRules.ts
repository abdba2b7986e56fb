import type {
	IAuthenticateRuleResponseCode,
	IAuthenticateRuleResponseSuccessBody,
	ICredentialTestRequest,
} from 'n8n-workflow';

/** What differs between the services in the texts of a credential test. */
interface TestedService {
	/** 'scanning service' or 'console'. */
	serviceName: string;
	/** What the credential holds: 'token', 'headers'. */
	secretName: string;
	/** Display name of the field with the address. */
	addressField: string;
	/** What else decides on the address, as a sentence. */
	alsoCheck?: string;
	/** A key that every answer to the test's request has. */
	answerKey: string;
}

/**
 * The rules that tell a wrong token from a wrong address, in the order of n8n's own check: by
 * status, then by what an answer with status 200 must contain (a sign-in page does not).
 */
export function testRules({
	serviceName,
	secretName,
	addressField,
	alsoCheck,
	answerKey,
}: TestedService): ICredentialTestRequest['rules'] {
	const address = [`Check '${addressField}'.`, alsoCheck].filter(Boolean).join(' ');
	const messages: Record<number, string> = {};
	for (const status of [
		400, 402, 406, 408, 409, 410, 415, 418, 421, 422, 425, 426, 428, 431, 451,
	]) {
		messages[status] =
			`The ${serviceName} refused the test request (${status}), but not because of the ${secretName}. ${address}`;
	}
	for (const status of [500, 501, 505, 520, 521, 522, 523, 524, 525, 526, 530]) {
		messages[status] =
			`The ${serviceName} answered with status ${status}. The cause lies there: test again later.`;
	}
	for (const status of [502, 503, 504]) {
		messages[status] =
			`The ${serviceName} is not available at the moment (${status}). Test again later.`;
	}
	Object.assign(messages, {
		401: `The ${serviceName} did not accept the ${secretName} (401). The address answers, so check the ${secretName}: mistyped, revoked, or of another environment.`,
		403: `The ${serviceName} accepted the ${secretName}, but not the test request (403). Check the role of the user or service account behind the ${secretName}, and the license.`,
		404: `Nothing was found at this address (404). ${address} The reason was not the ${secretName}.`,
		405: `This address does not allow the test request (405). ${address}`,
		407: `A proxy between n8n and the ${serviceName} asks for a sign-in (407). Check the proxy settings of n8n.`,
		429: `The calls allowed a minute are used up (429), so nothing could be tested. Wait a minute and test again.`,
	});
	for (const status of [301, 302, 303, 307, 308]) {
		messages[status] =
			`The address redirects elsewhere (${status}), and redirects are not followed, so that the ${secretName} cannot travel to another host. ${address}`;
	}
	const byStatus = Object.entries(messages).map(
		([status, message]): IAuthenticateRuleResponseCode => ({
			type: 'responseCode',
			properties: { value: Number(status), message },
		}),
	);
	const byAnswer: IAuthenticateRuleResponseSuccessBody = {
		type: 'responseSuccessBody',
		properties: {
			key: answerKey,
			value: undefined,
			message: `Something answers at this address, but it is not the ${serviceName} (perhaps a sign-in page). ${address}`,
		},
	};
	// n8n reads both kinds from one list; its type knows lists of one kind only.
	return [...byStatus, byAnswer] as IAuthenticateRuleResponseCode[];
}
