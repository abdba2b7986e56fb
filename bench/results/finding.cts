import { median } from '../comparison/contenders.cts';

/** One figure, and the goal that it is held against. */
export interface Finding {
	/** What was measured, and against what. */
	subject: string;
	/** As it is shown: `1.04 × (0.98 to 1.10)`. */
	figure: string;
	/** As it is shown: `at least 0.9 ×`. Without one the figure is for the record. */
	goal?: string;
	met?: boolean;
	/** Whether the figure is the same on every machine and under any load, so that a miss is a fault. */
	stable: boolean;
}

/** A bound, and whether a miss of it is a fault wherever it is measured. */
export interface Goal {
	atLeast?: number;
	atMost?: number;
	stable?: boolean;
}

/** Ratios of one run after the other: the middle one counts, the spread is shown. */
export function ratioFinding(subject: string, ratios: readonly number[], goal: Goal = {}): Finding {
	const spread = `${digits(Math.min(...ratios))} to ${digits(Math.max(...ratios))}`;
	const middle = median(ratios);
	return judged(subject, middle, `${digits(middle)} × (${spread})`, '×', goal);
}

/** One figure of a unit. */
export function valueFinding(
	subject: string,
	value: number,
	unit: string,
	goal: Goal = {},
): Finding {
	return judged(subject, value, withUnit(digits(value), unit), unit, goal);
}

function judged(
	subject: string,
	value: number,
	figure: string,
	unit: string,
	{ atLeast, atMost, stable = false }: Goal,
): Finding {
	const bound = atLeast ?? atMost;
	if (bound === undefined) return { subject, figure, stable: false };
	const met = value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity);
	const word = atLeast === undefined ? 'at most' : atLeast === atMost ? 'exactly' : 'at least';
	return { subject, figure, goal: `${word} ${withUnit(digits(bound), unit)}`, met, stable };
}

function withUnit(number: string, unit: string): string {
	return unit === '' ? number : `${number} ${unit}`;
}

/** Three significant digits; whole numbers from 100 on. */
export function digits(value: number): string {
	if (Number.isInteger(value) || Math.abs(value) >= 100) {
		return Math.round(value).toLocaleString('en-US');
	}
	return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
