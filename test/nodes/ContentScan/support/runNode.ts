import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { executeItems } from '../../../../nodes/ContentScan/actions/executeItems';
import { FakeClock, noPauses } from '../../../support/fakeClock.cts';
import type { FakeInput } from './fakeContext';
import { fakeContext } from './fakeContext';
import type { Sent } from './fakeService';
import { FakeService, scanService } from './fakeService';

/** What both unpublished operations need in the credential. */
export const describedPaths = {
	changeVerdict: 'scans/{scanId}/verdict/',
	changeVerdictMethod: 'PUT',
	changeVerdictBody: '{"verdict": "{verdict}", "word": "{verdictWord}", "reason": "{reason}"}',
	requestInvestigation: 'scans/{scanId}/investigation/',
	requestInvestigationMethod: 'POST',
	requestInvestigationBody: '{"expected": "{verdict}", "comment": "{comment}"}',
};

export interface FakeRun {
	items?: INodeExecutionData[];
	json: IDataObject[];
	error?: Error & { description?: string | null; context?: IDataObject; httpCode?: string };
	sent: Sent[];
	clock: FakeClock;
}

/** The node with a fake service behind it and a clock that runs by itself. */
export async function runNode(
	input: FakeInput,
	reply: (sent: Sent, clock: FakeClock) => unknown,
	operationPaths: Record<string, unknown> = describedPaths,
): Promise<FakeRun> {
	const clock = new FakeClock();
	const date = () => new Date(clock.now()).toUTCString();
	const service = new FakeService(
		(sent) => reply(sent, clock),
		date,
		() => clock.now(),
	);
	service.bytesOf = (body) => JSON.stringify(body ?? '').length;
	const scans = scanService(service, operationPaths);
	const connect = () => async () => scans;
	const dependencies = { clock, connect, pauses: noPauses };
	const running = executeItems(fakeContext(input), dependencies).then(
		(items) => ({ items, json: items.map(({ json }) => json) }),
		(error: FakeRun['error']) => ({ error, json: [] }),
	);
	await clock.run();
	return { ...(await running), sent: service.sent, clock };
}

/** Parameters of an operation. */
export function scan(operation: string, parameters: object = {}): Record<string, unknown> {
	return { resource: 'scan', operation, ...parameters };
}

/** The fields of an item for a scan of which only the ID is known. */
export function unknownScan(scanId: string) {
	return {
		scanId,
		status: null,
		verdict: null,
		verdictCode: null,
		clean: null,
		createdAt: null,
		finishedAt: null,
		names: null,
		sha256: null,
		from: null,
	};
}
