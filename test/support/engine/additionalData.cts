import type {
	ExecutionStatus,
	ICredentialsHelper,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { engine } from './engine.cts';

const ADDRESS = 'http://n8n.localhost';

function notInTheHarness(what: string): () => never {
	return () => {
		throw new Error(`${what} is not part of the test engine`);
	};
}

/** What n8n hands to every execution (workflow-execute-additional-data.js, getBase). */
export function createAdditionalData(
	credentialsHelper: ICredentialsHelper,
	workflowId: string,
): IWorkflowExecuteAdditionalData {
	const { core, container } = engine();
	return {
		credentialsHelper,
		workflowId,
		currentNodeExecutionIndex: 0,
		restApiUrl: `${ADDRESS}/rest`,
		instanceBaseUrl: `${ADDRESS}/`,
		formBaseUrl: `${ADDRESS}/form`,
		formWaitingBaseUrl: `${ADDRESS}/form-waiting`,
		formTestBaseUrl: `${ADDRESS}/form-test`,
		webhookBaseUrl: `${ADDRESS}/webhook`,
		webhookWaitingBaseUrl: `${ADDRESS}/webhook-waiting`,
		webhookTestBaseUrl: `${ADDRESS}/webhook-test`,
		mcpBaseUrl: `${ADDRESS}/mcp`,
		mcpTestBaseUrl: `${ADDRESS}/mcp-test`,
		variables: {},
		externalSecretsProxy: container.get(core.ExternalSecretsProxy),
		setExecutionStatus: (_status: ExecutionStatus) => {},
		logAiEvent: () => {},
		getRunExecutionData: async () => undefined,
		getRuntimeCredential: async () => undefined,
		executeWorkflow: notInTheHarness('A sub-workflow'),
		startRunnerTask: notInTheHarness('A task runner'),
	} as IWorkflowExecuteAdditionalData;
}

/** Makes it the data of one execution, with n8n's hooks. */
export function forExecution(
	additionalData: IWorkflowExecuteAdditionalData,
	executionId: string,
	workflow: IWorkflowBase,
	mode: WorkflowExecuteMode,
): IWorkflowExecuteAdditionalData {
	const { core } = engine();
	const hooks = new core.ExecutionLifecycleHooks(mode, executionId, workflow);
	return { ...additionalData, executionId, hooks };
}
