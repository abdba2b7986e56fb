/** A message that n8n shows, and what to do about it. */
export type MessageRow = [message: string, advice: string];

/** Stands between messages in one row. */
export const BETWEEN = ' · ';

/** Words that messages must begin with in common, to be told in one row. */
const LEAST_IN_COMMON = 2;

/**
 * Rows that follow each other, have the same advice and begin alike become one. It says the common
 * beginning once, then how each goes on, so that every message can still be found by its words.
 */
export function mergedRows(rows: readonly MessageRow[]): MessageRow[] {
	const groups: Array<{ messages: string[]; advice: string }> = [];
	for (const [message, advice] of rows) {
		const last = groups.at(-1);
		const isAlike =
			last !== undefined &&
			advice !== '' &&
			last.advice === advice &&
			wordsInCommon([...last.messages, message]) >= LEAST_IN_COMMON;
		if (isAlike) last.messages.push(message);
		else groups.push({ messages: [message], advice });
	}
	return groups.map(({ messages, advice }) => [inOne(messages), advice]);
}

function inOne(messages: string[]): string {
	if (messages.length === 1) return messages[0];
	const count = wordsInCommon(messages);
	const [first, ...others] = messages;
	const rests = others.map((message) => message.split(' ').slice(count).join(' '));
	return [first, ...new Set(rests)].join(BETWEEN);
}

/** How many words all messages begin with. Each has at least one more, and no name is cut in two. */
function wordsInCommon(messages: string[]): number {
	const [first, ...others] = messages.map((message) => message.split(' '));
	const shortest = Math.min(...[first, ...others].map(({ length }) => length));
	let count = 0;
	while (count < shortest - 1 && others.every((words) => words[count] === first[count])) count++;
	while (isWithinQuotes(first.slice(0, count))) count--;
	return count;
}

function isWithinQuotes(words: string[]): boolean {
	return words.filter((word) => /^['"]/.test(word) !== /['"]$/.test(word)).length % 2 === 1;
}
