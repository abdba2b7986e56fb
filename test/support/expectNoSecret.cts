import { sandboxSecretMarker } from '../../sandbox/fixtures/accounts.cts';
import type { SingleNodeRun } from './engine/runWorkflow.cts';

/** Neither the error of a run nor what n8n stores of it holds a secret of the sandbox. */
export function expectNoSecret(run: SingleNodeRun): void {
	expect(run.error?.everything() ?? '').not.toContain(sandboxSecretMarker);
	expect(run.stored()).not.toContain(sandboxSecretMarker);
}
