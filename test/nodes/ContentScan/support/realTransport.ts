import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import type { Dependencies } from '../../../../transport/connect';
import { QueueRegistry } from '../../../../transport/queue/queueRegistry';
import type { FakeClock } from '../../../support/fakeClock.cts';
import type { FakeInput } from './fakeContext';
import { fakeContext } from './fakeContext';

/** The package's own transport and call queue, between a fake n8n and a service of the test. */

export function transportOn(clock: FakeClock, random = () => 0.5): Dependencies {
	const registry = new QueueRegistry(clock, random);
	return { clock, random, queue: registry.queueFor.bind(registry) };
}

/** An execution with this credential, whose requests the test answers. */
export function executionTo(
	request: (options: IHttpRequestOptions) => Promise<unknown>,
	credential: ICredentialDataDecryptedObject,
	input: FakeInput = { parameters: {} },
) {
	const context = fakeContext(input);
	Object.assign(context, { getCredentials: async () => credential });
	Object.assign(context.helpers, {
		httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) =>
			await request(options),
	});
	return context;
}
