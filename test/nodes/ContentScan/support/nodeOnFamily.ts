import type { INodeExecutionData } from 'n8n-workflow';
import { executeItems } from '../../../../nodes/ContentScan/actions/executeItems';
import { scanServices } from '../../../../services/scanning/scanService';
import { noPauses, type FakeClock } from '../../../support/fakeClock.cts';
import type { FakeInput } from './fakeContext';
import { executionTo, transportOn } from './realTransport';
import type { ScanServiceFamily } from './scanServiceFamily';

/** Executions of the node in one n8n, through the package's own transport, on one service. */
export function nodeOnFamily(family: ScanServiceFamily, clock: FakeClock, atFirst = 100) {
	const transport = transportOn(clock);
	const credential = {
		environment: 'custom',
		baseUrl: family.origin,
		apiToken: family.token,
	};
	return async (input: FakeInput, callsPerMinute = atFirst): Promise<INodeExecutionData[]> => {
		const request = family.request.bind(family);
		const context = executionTo(request, { ...credential, callsPerMinute }, input);
		const connect = () => scanServices(context, transport);
		return await executeItems(context, { clock, connect, pauses: noPauses });
	};
}
