/** The fields of a form that have a value. */
export function givenFields(fields: Record<string, string | undefined>): Record<string, string> {
	const given = Object.entries(fields).filter((field) => field[1] !== undefined);
	return Object.fromEntries(given) as Record<string, string>;
}
