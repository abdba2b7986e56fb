import type { INode } from 'n8n-workflow';

/** A node of the console, for tests that need one and no workflow around it. */
export const consoleNode: INode = {
	id: 'n',
	name: 'Log',
	type: 'consoleAuditLog',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
