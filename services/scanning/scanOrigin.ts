import { enteredOption } from '../../input/enteredValues';
import { serviceOrigin } from '../../input/serviceOrigin';
import { SCANNING_ROOT } from './operationTable';

/** The regional environments and their documented addresses (docs/interface.md, The two services). */
const SCAN_ENVIRONMENTS = {
	us: 'https://api.perception-point.io',
	eu: 'https://api.eu.perception-point.io',
	aus: 'https://api.aus.perception-point.io',
} as const;

/**
 * Scheme, host and port of the scanning service that a `contentScanApi` credential names.
 * @throws UserError for an unknown environment, and when a custom address is not one plain address
 * (input/serviceOrigin.ts).
 */
export function scanOrigin(credentials: { environment?: unknown; baseUrl?: unknown }): string {
	const entered = credentials.environment ?? 'us';
	const environment = enteredOption(entered, 'Environment', ['us', 'eu', 'aus', 'custom']);
	return environment === 'custom'
		? serviceOrigin(String(credentials.baseUrl ?? ''), 'Base URL', SCANNING_ROOT.slice(0, -1))
		: SCAN_ENVIRONMENTS[environment];
}
