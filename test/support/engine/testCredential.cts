import { randomUUID } from 'node:crypto';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestRequestData,
	IExecuteData,
	INode,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';
import { createAdditionalData } from './additionalData.cts';
import { captureLog } from './capturedLog.cts';
import type { LogEntry } from './capturedLog.cts';
import { completeCredential, createVault } from './credentialVault.cts';
import type { CredentialVault } from './credentialVault.cts';
import { engine, intoEngine } from './engine.cts';
import { loadPackage } from './loadedPackage.cts';
import type { LoadedPackage } from './loadedPackage.cts';

export interface CredentialTestOptions {
	/** Name of the credential type. */
	type: string;
	/** What stands in its form. Fields that are left out get their default. */
	data: Record<string, unknown>;
	/** Folder of the built package; the repository by default. */
	packageFolder?: string;
}

/** What a user sees below the form after saving. */
export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
	/** What n8n logged meanwhile. */
	log: LogEntry[];
}

type Verdict = Omit<CredentialTestResult, 'log'>;

/**
 * Tests a credential as n8n does when a user saves it. Reproduces `runRequestTest` of n8n's
 * credentials-tester.service.js around the RoutingNode of n8n-core; that service lives in the n8n
 * package, which is not a development dependency.
 */
export async function testCredential(
	options: CredentialTestOptions,
): Promise<CredentialTestResult> {
	const pack = await loadPackage(options.packageFolder);
	const vault = await createVault(pack, { [options.type]: options.data });
	const log = captureLog();
	try {
		return { ...(await verdictOn(pack, vault, options.type)), log: log.entries };
	} finally {
		log.stop();
	}
}

async function verdictOn(
	pack: LoadedPackage,
	vault: CredentialVault,
	type: string,
): Promise<Verdict> {
	const { test } = pack.credentialType(type);
	const stored = await vault.read(type);
	if (!test) return refused('No testing function found for this credential.');
	const additionalData = createAdditionalData(vault.helper, randomUUID());
	let data: ICredentialDataDecryptedObject;
	try {
		data = completeCredential(pack, type, stored, additionalData, 'internal');
	} catch (error) {
		return refused((error as Error).message);
	}
	const { id, name } = vault.references([type])[type] ?? { id: null, name: type };
	const decrypted: ICredentialsDecrypted = { id: id ?? '', name, type, data };
	return await runRequest(pack, vault, decrypted, test);
}

async function runRequest(
	pack: LoadedPackage,
	vault: CredentialVault,
	credential: ICredentialsDecrypted,
	test: ICredentialTestRequestData['testRequest'],
): Promise<Verdict> {
	const { core, workflow: n8nWorkflow, container } = engine();
	const noOp = pack.nodeTypes.getByNameAndVersion('n8n-nodes-base.noOp');
	const node: INode = intoEngine({
		id: 'temp',
		parameters: {},
		name: 'Temp-Node',
		type: noOp.description.name,
		typeVersion: 1,
		position: [0, 0],
		credentials: { [credential.type]: { id: credential.id, name: credential.name } },
	});
	const nodeType: INodeType = {
		description: {
			...noOp.description,
			credentials: [{ name: credential.type, required: true }],
			properties: [
				{
					displayName: 'Temp',
					name: 'temp',
					type: 'string',
					routing: { request: test.request },
					default: '',
				},
			],
		},
	};
	const workflow = new n8nWorkflow.Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => nodeType,
			getByNameAndVersion: () => nodeType,
			getKnownTypes: () => ({}),
		},
	});
	const additionalData = createAdditionalData(vault.helper, randomUUID());
	additionalData.currentNodeParameters = node.parameters;
	// The form's content, not the stored credential, unless the raw data is asked for.
	const stored = vault.helper.getDecrypted.bind(vault.helper);
	additionalData.credentialsHelper = Object.assign(
		Object.create(vault.helper) as typeof vault.helper,
		{
			getDecrypted: async (...values: Parameters<typeof stored>) =>
				values[5] ? await stored(...values) : (credential.data ?? {}),
		},
	);
	const executeData: IExecuteData = { node, data: {}, source: null };
	const context = new core.ExecuteContext(
		workflow,
		node,
		additionalData,
		'internal',
		n8nWorkflow.createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		executeData,
		[],
	);
	let response: INodeExecutionData[][] | null | undefined;
	try {
		response = await new core.RoutingNode(context, nodeType, credential).runNode();
	} catch (error) {
		container.get(core.ErrorReporter).error(error as Error);
		return verdictOnError(error, test);
	}
	return verdictOnAnswer(response, test);
}

interface RoutingError {
	message: string;
	cause?: { code?: string; response?: { status: number; statusText?: string } };
}

function verdictOnError(error: unknown, test: ICredentialTestRequestData['testRequest']): Verdict {
	const { cause, message } = error as RoutingError;
	if (cause?.response) {
		const { status, statusText } = cause.response;
		for (const rule of test.rules ?? []) {
			if (rule.type === 'responseCode' && status === rule.properties.value) {
				return refused(rule.properties.message);
			}
		}
		if (status < 199 || status > 299) {
			return refused(statusText || `Received HTTP status code: ${status}`);
		}
	} else if (cause?.code) {
		return refused(cause.code);
	}
	return refused(message);
}

function verdictOnAnswer(
	response: INodeExecutionData[][] | null | undefined,
	test: ICredentialTestRequestData['testRequest'],
): Verdict {
	const { get } = engine().require('lodash') as { get(value: unknown, path: string): unknown };
	for (const rule of test.rules ?? []) {
		if (rule.type !== 'responseSuccessBody') continue;
		const [item] = response?.[0] ?? [];
		// An empty list has no first item: n8n does not expect that either.
		if (!item) throw new TypeError("Cannot read properties of undefined (reading 'json')");
		if (get(item.json, rule.properties.key) === rule.properties.value) {
			return refused(rule.properties.message);
		}
	}
	return { status: 'OK', message: 'Connection successful!' };
}

function refused(message: string): Verdict {
	return { status: 'Error', message };
}
