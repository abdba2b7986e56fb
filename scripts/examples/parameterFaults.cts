import { NodeHelpers } from 'n8n-workflow';
import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodeTypeDescription,
	NodeParameterValueType,
} from 'n8n-workflow';

/** What is wrong with one parameter, with the path that leads to it. */
type Faults = string[];

/** A node with every parameter it leaves out at its default, as conditions of display need it. */
interface CheckedNode {
	node: INode;
	description: INodeTypeDescription;
	root: INodeParameters;
}

/**
 * What in a saved node its type does not know: parameters and options that do not exist or are not
 * shown with these values, choices that are not offered, required ones left empty.
 */
export function parameterFaults(node: INode, description: INodeTypeDescription): Faults {
	const root = NodeHelpers.getNodeParameters(
		description.properties,
		node.parameters,
		true,
		false,
		node,
		description,
	);
	if (!root) return [`${node.name}: its parameters cannot be read`];
	const checked = { node, description, root };
	const unknown = collectionFaults(checked, node.parameters, description.properties, root, '');
	const issues = NodeHelpers.getNodeParametersIssues(
		description.properties,
		{ ...node, parameters: root, disabled: false },
		description,
	);
	const missing = Object.values(issues?.parameters ?? {}).flat();
	return [...unknown, ...missing].map((fault) => `${node.name}: ${fault}`);
}

function isExpression(value: unknown): boolean {
	return typeof value === 'string' && value.startsWith('=');
}

function collectionFaults(
	checked: CheckedNode,
	values: INodeParameters,
	properties: INodeProperties[],
	siblings: INodeParameters,
	path: string,
): Faults {
	return Object.entries(values).flatMap(([name, value]) => {
		const at = path ? `${path}.${name}` : name;
		const named = properties.filter((property) => property.name === name);
		if (named.length === 0) return [`'${at}' does not exist`];
		const { node, description, root } = checked;
		const shown = named.find((property) =>
			NodeHelpers.displayParameter(siblings, property, node, description, root),
		);
		return shown
			? valueFaults(checked, value, shown, at)
			: [`'${at}' does not belong to these values`];
	});
}

function valueFaults(
	checked: CheckedNode,
	value: NodeParameterValueType,
	property: INodeProperties,
	at: string,
): Faults {
	if (isExpression(value)) return [];
	switch (property.type) {
		case 'options':
			return isOffered(property, value) ? [] : [`'${at}' offers no ${JSON.stringify(value)}`];
		case 'boolean':
		case 'number':
			return typeof value === property.type ? [] : [`'${at}' is no ${property.type}`];
		case 'collection': {
			const values = value as INodeParameters;
			const properties = property.options as INodeProperties[];
			return collectionFaults(checked, values, properties, values, at);
		}
		case 'fixedCollection':
			return groupFaults(checked, value as INodeParameters, property, at);
		default:
			return [];
	}
}

/** Choices that n8n asks the node for while one edits are not in its description. */
function isOffered({ options = [], typeOptions }: INodeProperties, value: unknown): boolean {
	if (typeOptions?.loadOptionsMethod) return true;
	return options.some((option) => 'value' in option && option.value === value);
}

function groupFaults(
	checked: CheckedNode,
	groups: INodeParameters,
	property: INodeProperties,
	at: string,
): Faults {
	const known = property.options as INodePropertyCollection[];
	return Object.entries(groups).flatMap(([name, rows]) => {
		const group = known.find((one) => one.name === name);
		if (!group) return [`'${at}.${name}' does not exist`];
		return [rows].flat().flatMap((row) => {
			const values = row as INodeParameters;
			const complete = { ...defaults(group.values), ...values };
			return collectionFaults(checked, values, group.values, complete, `${at}.${name}`);
		});
	});
}

function defaults(properties: INodeProperties[]): INodeParameters {
	return Object.fromEntries(
		properties.map((property) => [property.name, property.default as NodeParameterValueType]),
	);
}
