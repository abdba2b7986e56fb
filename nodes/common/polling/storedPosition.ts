import type { IPollFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { operationError } from '../../../transport/errors/operationError';
import { isRecord } from '../../../transport/isRecord';
import { warn } from './pollHost';

/** How a trigger tells a position that it stored from everything else. */
interface PositionFormat {
	/** What is polled: the position of another scope is not continued. */
	scope: string;
	/** What makes another scope, in the words of n8n's log. */
	scopeParts: string;
	/** The option Start Over, a part of the scope; empty if not set. */
	startOver: string;
	version: number;
	isPosition: (value: unknown) => boolean;
}

/** The scope of a trigger: what it polls, and what stands in its option Start Over. */
export function triggerScope(polled: string[], startOver: string): string {
	return JSON.stringify(startOver === '' ? polled : [...polled, startOver]);
}

/**
 * The position to continue at; `undefined`: there is none, so the trigger starts.
 * @throws NodeOperationError for one that cannot be read: never a silent restart.
 */
export function storedPosition<Position>(
	context: IPollFunctions,
	stored: unknown,
	{ scope, scopeParts, startOver, version, isPosition }: PositionFormat,
): Position | undefined {
	if (stored === undefined || stored === null) return undefined;
	const written = isRecord(stored) ? stored : {};
	const isNewer = typeof written.version === 'number' && written.version > version;
	const isReadable = written.version === version && isPosition(stored);
	// Start Over always helps, also where the position cannot be read.
	if (written.scope !== scope && (isReadable || startOver !== '')) {
		warn(context, `${scopeParts} has changed, so the trigger begins again at 'Start From'`);
		return undefined;
	}
	if (isReadable) return stored as Position;
	const flaw = isNewer ? 'was written by a newer version of the package' : 'cannot be read';
	const error = new UserError(`The stored position of this trigger ${flaw}`, {
		description: `Nothing was read, so nothing is lost or delivered twice. ${isNewer ? 'Install the newer version again, or enter' : 'Enter'} a new text in the option 'Start Over' to begin again at 'Start From'.`,
	});
	throw operationError(context.getNode(), error);
}
