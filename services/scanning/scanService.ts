import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { enteredCount } from '../../input/enteredValues';
import type { Body, Call, Service } from '../../transport/call';
import type { Connection, RequestContext } from '../../transport/connection';
import type { Clock } from '../../transport/clock';
import type { Dependencies } from '../../transport/connect';
import { connect } from '../../transport/connect';
import { callsPerMinuteOf } from '../../transport/queue/queueRegistry';
import { queueKey } from '../../transport/queueKey';
import type { QuoteOptions } from '../../transport/errors/quoting';
import { quoting } from '../../transport/errors/quoting';
import { perCredential } from '../perCredential';
import { apiToken } from './apiToken';
import type { TemplateValues } from './bodyTemplate';
import { fillTemplate } from './bodyTemplate';
import { deployedOperation, operationSettings } from './operationPaths';
import type { OperationKey } from './operationTable';
import { scanOrigin } from './scanOrigin';

export interface CallRequest {
	scanId?: string;
	query?: Call['query'];
	body?: Body;
	/** Values for the body template of the credential. */
	values?: Omit<TemplateValues, 'scanId'>;
}

/** The scanning service behind a credential, and its operations as this deployment has them. */
export interface ScanService {
	service: Service;
	/** Calls a minute of all credentials with the token: the smallest number that one of them says (docs/limits.md). */
	readonly callsPerMinute: number;
	/**
	 * Words of the service as an error may quote them: one line, not too long, without the token.
	 * @param secrets What else is cut out.
	 */
	quoted(text: string, secrets?: string[], options?: QuoteOptions): Promise<string>;
	/** Stands for the address and the token: the same for every credential that holds them. */
	tokenKey: string;
	/** @throws UserError when the credential does not describe the operation, or not usably. */
	call(key: OperationKey, request: CallRequest): Call;
}

/** What the service allows by default (docs/interface.md, Limits). */
const DEFAULT_CALLS_PER_MINUTE = 100;

function licensedRate(value: unknown): number {
	if (value === undefined || value === null || value === '') return DEFAULT_CALLS_PER_MINUTE;
	return enteredCount(value, 'Calls per Minute', {
		advice:
			'Enter, in the credential, the number that your agreement sets; 100 unless it says otherwise.',
	});
}

const ADVICE: Connection['advice'] = {
	unauthorized:
		'Check the token: it may be mistyped, revoked, or from another environment. A user token works only while its user remains a valid admin user.',
	forbidden:
		"If every call fails, check the token. Otherwise, the license may not include this function (ask your provider's account contact), or the role behind the token may be too low, or not cover the object's organization.",
	notFound: 'If every call fails, check the address in the credential and its operation paths.',
	methodNotAllowed: 'Check the method and the path of this operation in the credential.',
	conflict: 'Get the scan and see its state: someone else may have changed it first.',
	tooLargeForService: 'The documented limit for a file is 500 MB.',
	rateLimited:
		"Run less often, or raise the option 'Max Queue Time'. Your agreement sets the number of calls a minute.",
};

function connectionOf(credential: ICredentialDataDecryptedObject) {
	const origin = scanOrigin(credential);
	const token = apiToken(credential.apiToken);
	return {
		credentialType: 'contentScanApi',
		credential,
		origin,
		serviceName: 'scanning service',
		advice: ADVICE,
		callsPerMinute: licensedRate(credential.callsPerMinute),
		queueKey: queueKey(origin, [token]),
		secrets: [token],
		tokens: [token],
	} satisfies Connection;
}

/** The calls of a deployment: the operation table, with the credential's word before it. */
export function callMaker(credential: ICredentialDataDecryptedObject): ScanService['call'] {
	const settings = operationSettings(credential);
	return (key, { scanId, query, body, values }) => {
		const { template, ...operation } = deployedOperation(key, settings);
		const json = template && fillTemplate(template.text, { ...values, scanId }, template.field);
		return {
			...operation,
			pathValues: scanId === undefined ? undefined : { scanId },
			query,
			body: json === undefined ? body : { type: 'json', text: json },
		};
	};
}

function quotingWithout(secretsOfCredential: string[], clock?: Clock): ScanService['quoted'] {
	const quoted = quoting(clock);
	return async (text, secrets = [], options) =>
		await quoted(text, [...secretsOfCredential, ...secrets], options);
}

/**
 * The scanning service of the credential that the node uses, for each item.
 * @param dependencies A test passes its own.
 */
export function scanServices(
	context: RequestContext,
	dependencies?: Dependencies,
): (itemIndex?: number) => Promise<ScanService> {
	return perCredential(context, 'contentScanApi', (credential): ScanService => {
		const connection = connectionOf(credential);
		return {
			service: connect(context, connection, dependencies),
			get callsPerMinute() {
				return callsPerMinuteOf(connection.queueKey) ?? connection.callsPerMinute;
			},
			quoted: quotingWithout(connection.secrets, dependencies?.clock),
			tokenKey: connection.queueKey,
			call: callMaker(credential),
		};
	});
}

/**
 * The same for a trigger or a list to choose from, which have no items.
 * @throws NodeOperationError that names the credential field when a value in it is not usable.
 */
export async function connectScanService(
	context: RequestContext,
	dependencies?: Dependencies,
): Promise<ScanService> {
	return await scanServices(context, dependencies)();
}
