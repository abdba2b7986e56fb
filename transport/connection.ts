import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import type { ServiceAdvice } from './errors/failure';

export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export interface Connection {
	/** Name of the credential type that n8n authenticates the request with. */
	credentialType: string;
	/**
	 * The credential as it was read, to be used for all requests. Without it n8n reads it anew for each,
	 * which takes a poll about 40 ms and an execution some (it evaluates what may be an expression).
	 */
	credential?: ICredentialDataDecryptedObject;
	/** Scheme, host and port, as `serviceOrigin` (input/serviceOrigin.ts) gives it. */
	origin: string;
	/** How error texts call the other side: 'scanning service', 'console'. */
	serviceName: string;
	advice?: ServiceAdvice;
	/** Calls a minute that the license allows; `undefined` where only a 429 slows the calls. */
	callsPerMinute?: number;
	/** Values of the credential that must appear in no error or log. */
	secrets: string[];
	/** Those of them that are cut out of answers too, should the service echo them. */
	tokens?: string[];
	/** As `queueKey` (queueKey.ts) gives it: the same for all calls that the service counts together. */
	queueKey: string;
	/** Whether n8n renews the token after a 401 (OAuth2). */
	renewsToken?: boolean;
	/** Whether nothing but GET may leave towards this service. */
	readOnly?: boolean;
}
