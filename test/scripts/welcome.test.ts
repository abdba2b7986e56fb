import { sandboxOperationPaths } from '../../sandbox/fixtures/operationPaths.cts';
import { welcome } from '../../scripts/demo/welcome.cts';
import type { Demo } from '../../scripts/demo/startDemo.cts';

it('npm start prints the operation paths by the labels of the credential’s form', () => {
	const addresses = { us: 'http://localhost:1', console: 'http://localhost:2' };
	const sandbox = { addresses, tokenUrl: 'http://localhost:3' };
	const text = welcome({ n8n: { url: 'http://localhost:4' }, sandbox } as unknown as Demo);
	const lines = text.split('\n').map((line) => line.trim());
	for (const value of Object.values(sandboxOperationPaths)) {
		const line = lines.find((one) => one.endsWith(`  ${value}`));
		expect(line).toMatch(/^(Change Verdict|Request Investigation|Release Email)/);
	}
});
