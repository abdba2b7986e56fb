import type { Check, User } from './user.cts';

/** Words that a user would type, and the node that is wanted. */
const SEARCHES: Record<string, string> = {
	scan: 'Content Scan',
	'scan url': 'Content Scan',
	'url scan': 'Content Scan',
	'scan file': 'Content Scan',
	malware: 'Content Scan',
	phishing: 'Content Scan',
	malicious: 'Content Scan',
	quarantine: 'Content Scan',
	'Perception Point': 'Content Scan',
	'X-Ray': 'Content Scan',
	'FortiMail Workspace Security': 'Content Scan',
	audit: 'Console Audit Log',
	SIEM: 'Console Audit Log',
	'Advanced Browser Security': 'Console Audit Log',
	ABS: 'Console Audit Log',
	Hysolate: 'Console Audit Log',
	'FortiMail Browser Security': 'Console Audit Log',
};

/** On a new workflow's node panel; it stays open. */
export async function findNodes({ editor, screenshots }: User, check: Check): Promise<void> {
	await check('The nodes come first for the words that a user would type', async () => {
		await editor.go('/workflow/new');
		await editor.at('canvas-plus-button').click();
		const missed: string[] = [];
		for (const [words, wanted] of Object.entries(SEARCHES)) {
			const [first] = await editor.search(words);
			if (first !== wanted) missed.push(`'${words}' finds '${first}' first`);
		}
		if (missed.length > 0) throw new Error(missed.join('; '));
		await editor.search('malware');
		await screenshots.take('search-malware');
		await editor.search('SIEM');
		await screenshots.take('search-siem');
		return Object.keys(SEARCHES).join(', ');
	});
}
