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
	answerKey,
}: TestedService): ICredentialTestRequest['rules'] {
	const address = `Check '${addressField}'.`;
	const messages: Record<number, string> = {
		400: `The ${serviceName} refused the test request (400), but not the ${secretName}. ${address}`,
		401: `The ${serviceName} did not accept the ${secretName} (401). The address answers, so check the ${secretName}: mistyped, revoked, or of another environment.`,
		403: `The ${serviceName} accepted the ${secretName}, but not the test request (403). Check the license and the role of the user behind the ${secretName}.`,
		404: `Nothing was found at this address (404). ${address} The ${secretName} was not the reason.`,
		405: `This address does not allow the test request (405). ${address}`,
		429: `The calls allowed a minute are used up (429), so nothing could be tested. Wait a minute and test again.`,
		500: `The ${serviceName} answered with status 500. The cause lies there: test again later.`,
		502: `The ${serviceName} is not available at the moment (502). Test again later.`,
		503: `The ${serviceName} is not available at the moment (503). Test again later.`,
		504: `The ${serviceName} is not available at the moment (504). Test again later.`,
	};
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
