import type {
	IAuthenticateRuleResponseCode,
	IAuthenticateRuleResponseSuccessBody,
	ICredentialTestRequest,
} from 'n8n-workflow';

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

/** The statuses of which a user can do something about, by what to do. */
const STATUSES = {
	address: [400, 404, 405],
	redirect: [301, 302, 303, 307, 308],
	secret: [401],
	rights: [403],
	rate: [429],
	later: [500, 502, 503, 504],
};

/**
 * The rules that tell a wrong token from a wrong address, in the order of n8n's own check: by
 * status, then by what an answer with status 200 must contain (a sign-in page does not). n8n knows
 * no rule for all other statuses, nor for a connection that did not come about: of these it shows
 * the bare words (docs/troubleshooting.md).
 */
export function testRules({
	serviceName,
	secretName,
	addressField,
	alsoCheck,
	answerKey,
}: TestedService): ICredentialTestRequest['rules'] {
	const address = [`Check '${addressField}'.`, alsoCheck].filter(Boolean).join(' ');
	const messages: Record<keyof typeof STATUSES, string> = {
		address: `The ${serviceName} does not know the test request at this address (…). ${address} The ${secretName} was not checked.`,
		redirect: `The address redirects elsewhere (…). Redirects are not followed, to keep the ${secretName} from reaching another host. ${address}`,
		secret: `The ${serviceName} did not accept the ${secretName} (…). The address answers, so the ${secretName} may be mistyped, revoked, or from another environment.`,
		rights: `The ${serviceName} does not allow the test request (…). Check the ${secretName}, the role, and the license.`,
		rate: 'The calls of this minute are used up (…), so nothing was tested. Test again in a minute.',
		later: `The ${serviceName} reports a server error (…). Test again later.`,
	};
	const byStatus = Object.entries(STATUSES).flatMap(([kind, statuses]) =>
		statuses.map(
			(status): IAuthenticateRuleResponseCode => ({
				type: 'responseCode',
				properties: {
					value: status,
					message: messages[kind as keyof typeof STATUSES].replace('…', String(status)),
				},
			}),
		),
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
