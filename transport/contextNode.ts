import type { INode } from 'n8n-workflow';
import type { RequestContext } from './connection';

const nodes = new WeakMap<RequestContext, INode>();

/** The node of a context. n8n copies all of it each time it is asked, and a context stays with its node. */
export function contextNode(context: RequestContext): INode {
	const node = nodes.get(context) ?? context.getNode();
	nodes.set(context, node);
	return node;
}

/** ID of the credential of this type that the node uses, if it has one. */
export function credentialId(context: RequestContext, credentialType: string): string | undefined {
	return contextNode(context).credentials?.[credentialType]?.id ?? undefined;
}
