import type { IPollFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { operationError } from '../../../transport/errors/operationError';
import { isRecord } from '../../../transport/isRecord';

/** What n8n stored for a trigger, as its reader understands it. */
export type StoredPosition<State> =
	| { kind: 'state'; state: State }
	| { kind: 'none' | 'otherScope' | 'newer' | 'unreadable' };

export interface PositionReader<State> {
	/** What is polled: the position of another scope is not continued. */
	scope: string;
	/** The option Start Over, which is a part of the scope; empty if not set. */
	startOver: string;
	read: (stored: unknown, scope: string) => StoredPosition<State>;
	/** Told where the stored position is of another scope. */
	onOtherScope: () => void;
}

/**
 * The position to continue at; `undefined`: there is none, so the trigger starts.
 * @throws NodeOperationError for one that cannot be read: never a silent restart.
 */
export function storedPosition<State>(
	context: IPollFunctions,
	stored: unknown,
	{ scope, startOver, read, onOtherScope }: PositionReader<State>,
): State | undefined {
	// Also where it cannot be read otherwise, so that Start Over always helps.
	const isStartedOver =
		startOver !== '' && stored !== undefined && (!isRecord(stored) || stored.scope !== scope);
	const position = isStartedOver ? ({ kind: 'otherScope' } as const) : read(stored, scope);
	switch (position.kind) {
		case 'state':
			return position.state;
		case 'none':
			return undefined;
		case 'otherScope':
			onOtherScope();
			return undefined;
		case 'newer':
		case 'unreadable':
			throw operationError(context.getNode(), unusable(position.kind));
	}
}

function unusable(kind: 'newer' | 'unreadable'): UserError {
	const why = kind === 'newer' ? 'was written by a newer version of the package' : 'cannot be read';
	return new UserError(`The stored position of this trigger ${why}`, {
		description:
			"Nothing was read, so nothing is lost or delivered twice. Install the newer version again, or enter a new text in the option 'Start Over' to begin again at 'Start From'.",
	});
}
