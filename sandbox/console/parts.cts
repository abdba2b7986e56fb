import type { Surroundings } from '../wire/server.cts';
import type { AuditLog } from './auditLog.cts';
import type { ConsoleAccess } from './consoleAccess.cts';
import type { PageTokens } from './pageToken.cts';

/** What the console works on. A reset puts new parts into the same object. */
export interface ConsoleParts extends Surroundings {
	log: AuditLog;
	tokens: PageTokens;
	access: ConsoleAccess;
}
