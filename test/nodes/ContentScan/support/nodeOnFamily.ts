import type { INodeExecutionData } from 'n8n-workflow';
import { executeItems } from '../../../../nodes/ContentScan/actions/executeItems';
import { scanServices } from '../../../../services/scanning/scanService';
import { QueueRegistry } from '../../../../transport/queue/queueRegistry';
import { noPauses, type FakeClock } from '../../../support/fakeClock.cts';
import type { FakeInput } from './fakeContext';
import { fakeContext } from './fakeContext';
import type { ScanServiceFamily } from './scanServiceFamily';

/** Executions of the node in one n8n, through the package's own transport, on one service. */
export function nodeOnFamily(family: ScanServiceFamily, clock: FakeClock, atFirst = 100) {
	const random = () => 0.5;
	const registry = new QueueRegistry(clock, random);
	const transport = { clock, random, queue: registry.queueFor.bind(registry) };
	const credential = {
		environment: 'custom',
		baseUrl: family.origin,
		apiToken: family.token,
	};
	return async (input: FakeInput, callsPerMinute = atFirst): Promise<INodeExecutionData[]> => {
		const context = fakeContext(input);
		Object.assign(context, { getCredentials: async () => ({ ...credential, callsPerMinute }) });
		Object.assign(context.helpers, {
			httpRequestWithAuthentication: async (_: string, request: never) =>
				await family.request(request),
		});
		const connect = () => scanServices(context, transport);
		return await executeItems(context, { clock, connect, pauses: noPauses });
	};
}
