import { failureOf } from '../../../scripts/n8n/executions.cts';
import { onlyItemOn, runOnCanvas } from './runOnCanvas.cts';
import type { Check, User } from './user.cts';

/** The only options that are ever touched, and only for scans that never finish. */
const SHORT_WAIT_SECONDS = '3';

/** From an open canvas whose last node has put out a verdict, to an If that is open. */
async function addIf({ editor }: User): Promise<void> {
	await editor.openWhatComesNext();
	await editor.search('if');
	await editor.nodeItem(/^If$/).click();
	await editor.at('ndv').waitFor();
}

/** The If of the README, from an open canvas whose last node has put out a verdict. */
export async function addIfVerdictIsClean(user: User, check: Check): Promise<void> {
	const { editor, screenshots } = user;
	await check('In an If after it, "clean" is typed and verdict dragged in', async () => {
		await addIf(user);
		await editor.at('filter-condition-right').locator('textarea, input').first().fill('clean');
		await editor.dragIntoCondition('verdict');
		// n8n's help on expressions goes with the focus. What was dragged in is kept only some time later.
		await editor.at('ndv').getByText('No output data', { exact: true }).click();
		await screenshots.take('if-verdict');
		await editor.closeNode();
		return '{{ $json.verdict }} is equal to clean';
	});
}

/** The same with the switch among the fields. */
export async function addIfClean(user: User, check: Check, name: string): Promise<void> {
	const { editor, screenshots } = user;
	await check('In an If after it, clean is dragged in and "is true" chosen', async () => {
		await addIf(user);
		// Where an item has a file, n8n shows that first.
		await editor.at('ndv').getByText('Schema', { exact: true }).first().click();
		await editor.dragIntoCondition('clean');
		await editor.at('filter-operator-select').first().click();
		await editor.page.getByText('Boolean', { exact: true }).last().hover();
		await editor.page.getByText('is true', { exact: true }).last().click();
		await screenshots.take(`if-clean-${name}`);
		await editor.closeNode();
		return '{{ $json.clean }} is true';
	});
}

/** The scan node's name is `scan`; `examine` looks at the item that goes to false. */
export async function neverFinished(
	user: User,
	check: Check,
	scan: string,
	examine: (item: ReturnType<typeof onlyItemOn>) => void = () => {},
): Promise<void> {
	const { editor, screenshots, setting } = user;
	const { sandbox } = setting;
	const { scanDurationMs } = sandbox.settings.scanning;
	sandbox.configure({ scanning: { scanDurationMs: null } });
	await check('A scan that does not finish ends the run in red', async () => {
		await editor.openNodeOf(scan);
		await editor.addOption('Wait Timeout');
		await editor.input('waitTimeout').fill(SHORT_WAIT_SECONDS);
		await editor.closeNode();
		const execution = await runOnCanvas(user);
		const said = failureOf(execution);
		if (execution.status !== 'error' || !said) throw new Error(`It ended as ${execution.status}.`);
		await editor.page.getByText(`Problem in node ‘${scan}‘`).last().waitFor();
		await screenshots.take('never-finished');
		return said;
	});
	await check('With Return the Item, it goes to false', async () => {
		await editor.openNodeOf(scan);
		await editor.addOption('On Timeout');
		await editor.choose('onTimeout', 'Return the Item');
		await editor.closeNode();
		const item = onlyItemOn('false', await runOnCanvas(user));
		const { status, clean } = item.json;
		if (clean !== null) throw new Error(`clean is ${JSON.stringify(clean)}.`);
		examine(item);
		await screenshots.take('returned-item');
		return `status ${status}, clean ${clean}`;
	});
	sandbox.configure({ scanning: { scanDurationMs } });
}
