import { randomUUID } from 'node:crypto';
import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	ICredentialsExpressionResolveValues,
	ICredentialsHelper,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INode,
	INodeCredentials,
	INodeCredentialsDetails,
	INodeParameters,
	INodeProperties,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { engine, intoEngine } from './engine.cts';
import type { LoadedPackage } from './loadedPackage.cts';

/** What a test fills into the credential forms, by credential type. */
export type CredentialData = Record<string, Record<string, unknown>>;

/** The credentials of a run: encrypted at rest by n8n, decrypted and completed as n8n does it. */
export interface CredentialVault {
	helper: ICredentialsHelper;
	/** What stands in a node that uses these credentials. */
	references(types?: string[]): INodeCredentials;
	/** Changes one, as a user does in its form. */
	replace(type: string, data: Record<string, unknown>): Promise<void>;
	/** What is stored now (an OAuth2 token is added to it). */
	read(type: string): Promise<ICredentialDataDecryptedObject>;
}

/** Stores the given credentials for the nodes of a package. */
export async function createVault(
	pack: LoadedPackage,
	data: CredentialData,
): Promise<CredentialVault> {
	const { core, workflow } = engine();
	const stored = new Map<string, ICredentials>();

	const store = async (type: string, content: Record<string, unknown>): Promise<void> => {
		const id = stored.get(type)?.id ?? randomUUID();
		const entry = new core.Credentials({ id, name: `${type} of the test` }, type);
		await entry.setData(intoEngine(content) as ICredentialDataDecryptedObject);
		stored.set(type, entry);
	};
	for (const [type, content] of Object.entries(data)) await store(type, content);

	const entryOf = (reference: INodeCredentialsDetails | undefined, type: string): ICredentials => {
		const entry = stored.get(type);
		if (!entry || (reference?.id && reference.id !== entry.id)) {
			throw new workflow.UserError(
				`Credential with ID "${reference?.id}" does not exist for type "${type}".`,
			);
		}
		return entry;
	};

	/** Reproduces the part of n8n's CredentialsHelper (credentials-helper.js) that a node can notice. */
	class VaultHelper extends workflow.ICredentialsHelper {
		getParentTypes(name: string): string[] {
			return pack.parentTypes(name);
		}

		isCredentialUsableByNode(): boolean {
			return true;
		}

		async authenticate(
			credentials: ICredentialDataDecryptedObject,
			typeName: string,
			requestOptions: IHttpRequestOptions,
		): Promise<IHttpRequestOptions> {
			const { authenticate } = pack.credentialType(typeName);
			if (!authenticate) return requestOptions;
			if (typeof authenticate === 'function') {
				return await authenticate(credentials, requestOptions);
			}
			throw new Error('Only credentials that authenticate by a function are known here');
		}

		/** No credential of this package has an expirable token of its own. */
		async preAuthentication(): Promise<undefined> {
			return undefined;
		}

		async runPreAuthentication(
			_helpers: IHttpRequestHelper,
			_credentials: ICredentialDataDecryptedObject,
			_typeName: string,
		): Promise<undefined> {
			return undefined;
		}

		async getCredentials(reference: INodeCredentialsDetails, type: string): Promise<ICredentials> {
			return entryOf(reference, type);
		}

		async getDecrypted(
			additionalData: IWorkflowExecuteAdditionalData,
			reference: INodeCredentialsDetails,
			type: string,
			mode: WorkflowExecuteMode,
			_executeData?: unknown,
			raw?: boolean,
			resolveValues?: ICredentialsExpressionResolveValues,
		): Promise<ICredentialDataDecryptedObject> {
			const content = await entryOf(reference, type).getData();
			if (raw === true) return content;
			return completeCredential(pack, type, content, additionalData, mode, resolveValues);
		}

		async updateCredentials(
			reference: INodeCredentialsDetails,
			type: string,
			content: ICredentialDataDecryptedObject,
		): Promise<void> {
			await entryOf(reference, type).setData(content);
		}

		async updateCredentialsOauthTokenData(
			reference: INodeCredentialsDetails,
			type: string,
			content: ICredentialDataDecryptedObject,
		): Promise<void> {
			await entryOf(reference, type).updateData({ oauthTokenData: content.oauthTokenData });
		}

		getCredentialsProperties(type: string): INodeProperties[] {
			return credentialProperties(pack, type);
		}
	}

	return {
		helper: new VaultHelper(),
		references: (types = [...stored.keys()]) =>
			Object.fromEntries(
				types.map((type) => {
					const { id, name } = entryOf(undefined, type);
					return [type, { id: id ?? null, name }];
				}),
			),
		replace: store,
		read: async (type) => await entryOf(undefined, type).getData(),
	};
}

/** The fields of a credential type, those it inherits included (CredentialsHelper.getCredentialsProperties). */
function credentialProperties(pack: LoadedPackage, type: string): INodeProperties[] {
	const { workflow } = engine();
	const definition = pack.credentialType(type);
	if (definition.extends === undefined) return definition.properties;
	const combined: INodeProperties[] = [];
	for (const parent of definition.extends) {
		workflow.NodeHelpers.mergeNodeProperties(combined, credentialProperties(pack, parent));
	}
	workflow.NodeHelpers.mergeNodeProperties(combined, definition.properties);
	return combined;
}

/**
 * Fills in defaults and resolves expressions, as n8n does before a node or a credential test sees the
 * data (CredentialsHelper.applyDefaultsAndOverwrites, without the overwrites of an installation).
 */
export function completeCredential(
	pack: LoadedPackage,
	type: string,
	content: ICredentialDataDecryptedObject,
	additionalData: IWorkflowExecuteAdditionalData,
	mode: WorkflowExecuteMode,
	resolveValues?: ICredentialsExpressionResolveValues,
): ICredentialDataDecryptedObject {
	const { core, workflow } = engine();
	const complete = workflow.NodeHelpers.getNodeParameters(
		credentialProperties(pack, type),
		content as INodeParameters,
		true,
		false,
		null,
		null,
	) as ICredentialDataDecryptedObject;
	for (const kept of ['oauthTokenData', 'allowedHttpRequestDomains', 'allowedDomains']) {
		if (complete[kept] === undefined && content[kept] !== undefined) complete[kept] = content[kept];
	}
	const keys = core.getAdditionalKeys(additionalData, mode, null, { isCredential: true });
	if (resolveValues) {
		const { workflow: run, runExecutionData, runIndex, itemIndex } = resolveValues;
		return run.expression.getParameterValue(
			complete as INodeParameters,
			runExecutionData,
			runIndex,
			itemIndex,
			resolveValues.node.name,
			resolveValues.connectionInputData,
			mode,
			keys,
			undefined,
			false,
			complete as INodeParameters,
		) as unknown as ICredentialDataDecryptedObject;
	}
	const node: INode = {
		id: 'credential',
		name: 'Credential',
		type: 'n8n-nodes-base.noOp',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const resolver = new workflow.Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: pack.nodeTypes,
	});
	return resolver.expression.getComplexParameterValue(
		node,
		complete as INodeParameters,
		mode,
		keys,
		undefined,
		undefined,
		complete,
	) as ICredentialDataDecryptedObject;
}
