import { serviceOrigin } from '../../input/serviceOrigin';
import { ENTRIES_PATH } from './auditLogPage';

/**
 * Scheme, host and port of the console that a credential names.
 * @throws UserError when it is not one plain address (input/serviceOrigin.ts).
 */
export function consoleOrigin(credentials: { consoleUrl?: unknown }): string {
	return serviceOrigin(String(credentials.consoleUrl ?? ''), 'Console URL', ENTRIES_PATH);
}
