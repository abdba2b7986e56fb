import { defaultConsoleHeaders } from '../../sandbox/fixtures/accounts.cts';
import { call } from './calls.cts';
import { startProgram } from './program.cts';

/** Two processes are started; a busy computer may take its time. */
const patienceMs = 30_000;

describe('the sandbox on its own', () => {
	it(
		'prints its addresses, takes settings, and ends when it is told to',
		async () => {
			const program = startProgram('--seed', '4', '--set', 'console.historyEntries=12');
			const addresses = JSON.parse(await program.firstLine);
			expect(Object.keys(addresses)).toEqual(['us', 'eu', 'aus', 'console', 'control']);
			const url = `${addresses.console}/api/admin-audit-log-entries`;
			const { data } = await call({ url, headers: defaultConsoleHeaders });
			expect(data.items).toHaveLength(12);
			program.end();
			expect(await program.ended).toEqual([0, null]);
		},
		patienceMs,
	);

	it(
		'says what is wrong with its arguments',
		async () => {
			const program = startProgram('--set', 'console.historyEntries=many');
			expect(await program.firstError).toContain('"console.historyEntries" cannot be "many"');
			expect(await program.ended).toEqual([2, null]);
		},
		patienceMs,
	);
});
