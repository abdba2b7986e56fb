import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { addedText } from '../../../input/addedOption';
import {
	enteredBoolean,
	enteredCount,
	enteredNumber,
	enteredOption,
	enteredText,
} from '../../../input/enteredValues';
import { enteredTime } from '../../../input/enteredTime';
import { verdictOptions, verdictWord } from '../../../services/scanning/verdict';
import type { Call } from '../../../transport/call';
import { checkedSettings } from '../../common/polling/checkedSettings';
import { enteredMoveOn } from '../../common/polling/enteredMoveOn';
import type { MoveOn } from '../../common/polling/moveOn';
import {
	DEFAULT_MAX_SCANS,
	DEFAULT_WATCH_HOURS,
	LONGEST_WATCH_HOURS,
	OTHER,
	SIZE_OPTION,
} from './feedFields';
import type { WatchSettings } from './reading/scanEvents';

export interface ScanFeedSettings {
	/** Epoch seconds; `undefined`: now. */
	startDate: number | undefined;
	/** Another text than before: the trigger starts over. */
	startOver: string;
	simplify: boolean;
	moveOn: MoveOn;
	/** What narrows the list, as the service calls it. */
	filters: NonNullable<Call['query']>;
	/** The selected verdicts, in words; empty: all. */
	verdicts: string[];
	reading: WatchSettings;
}

const DOCUMENTED = verdictOptions.map(({ value }) => String(value));

/** @throws NodeOperationError that names the field for a value that cannot be used. */
export function scanFeedSettings(context: IPollFunctions): ScanFeedSettings {
	return checkedSettings(context, readSettings);
}

function readSettings(context: IPollFunctions, options: IDataObject): ScanFeedSettings {
	const { watchHours, maxScansPerPoll, verdictChanges } = {
		watchHours: DEFAULT_WATCH_HOURS,
		maxScansPerPoll: DEFAULT_MAX_SCANS,
		verdictChanges: false,
		...options,
	};
	const verdicts = selectedVerdicts(context.getNodeParameter('verdicts', []));
	const isChosen = (code: string) => isSelected(verdicts, code);
	const hours = enteredNumber(watchHours, 'Watch (Hours)', { least: 1, most: LONGEST_WATCH_HOURS });
	const date = startDate(context);
	return {
		startDate: date,
		startOver: enteredText(options.startOver, 'Start Over').trim(),
		simplify: enteredBoolean(context.getNodeParameter('simplify', true), 'Simplify'),
		moveOn: enteredMoveOn(options, context),
		filters: {
			origin: addedText(options, 'origin', 'Origin') ?? '',
			organization_id: addedText(options, 'organizationId', 'Organization ID') ?? '',
		},
		verdicts,
		reading: {
			isChosen,
			tellsUnfinished: isChosen(''),
			verdictChanges: enteredBoolean(verdictChanges, 'Verdict Changes'),
			watchSeconds: Math.ceil(3600 * hours),
			startDate: date,
			maxScans: enteredCount(maxScansPerPoll, SIZE_OPTION),
		},
	};
}

/**
 * Whether a verdict is among the selected ones; with none selected all are.
 * @param code As the service writes it; `''` is none. What is not documented is 'other', and so is what
 * only resembles the code for clean: nothing is left out for being almost clean.
 */
export function isSelected(verdicts: string[], code: string): boolean {
	const word = verdictWord(code);
	return verdicts.length === 0 || verdicts.includes(DOCUMENTED.includes(word) ? word : OTHER);
}

function selectedVerdicts(value: unknown): string[] {
	const values: unknown[] = Array.isArray(value) ? value : [value];
	return values.map((one) => enteredOption(one, 'Verdicts', [...DOCUMENTED, OTHER]));
}

function startDate(context: IPollFunctions): number | undefined {
	const startFrom = context.getNodeParameter('startFrom', 'now');
	if (enteredOption(startFrom, 'Start From', ['now', 'date']) === 'now') return undefined;
	const entered: unknown = context.getNodeParameter('startDate', '');
	const time = enteredTime(entered, 'Start Date', context.getTimezone());
	// The service takes seconds of ten digits only.
	return Math.floor(Math.min(Math.max(time, 1e12), 1e13 - 1000) / 1000);
}
