import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import type { Method } from '../../transport/call';
import { parseUrl } from '../../transport/address';
import { isRecord } from '../../transport/isRecord';
import type { OperationEntry, OperationKey } from './operationTable';
import { SCANNING_ROOT, operationTable } from './operationTable';

/** What the credential says about the operations: paths, methods and body templates, by key. */
type OperationSettings = Readonly<Record<string, string>>;

/** An operation as this deployment has it. */
interface DeployedOperation extends OperationEntry {
	method: Method;
	/** From the root of the service: `/api/v1/…/`. */
	path: string;
	/** JSON template of the body, with the name of the field it came from, for error texts. */
	template?: { text: string; field: string };
}

/** What the credential says of an operation besides its path, as the ends of its keys. */
type FieldPart = 'Method' | 'Body';

const METHODS: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** `operationPaths`, and the same keys under `operationPaths.values` (an object, or a list of one). */
export function operationSettings(credential: ICredentialDataDecryptedObject): OperationSettings {
	const outer: unknown = credential.operationPaths;
	if (!isRecord(outer)) return {};
	const values: unknown = Array.isArray(outer.values) ? outer.values[0] : outer.values;
	const settings: Record<string, string> = {};
	for (const [key, value] of Object.entries({ ...outer, ...(isRecord(values) ? values : {}) })) {
		if (key === 'values' || value === undefined || value === null) continue;
		const text = (typeof value === 'object' ? JSON.stringify(value) : String(value)).trim();
		if (text !== '') settings[key] = text;
	}
	return settings;
}

/** How the form of the credential calls a field of an operation, and the key it is stored under. */
function fieldName(key: OperationKey, part?: FieldPart): string {
	const { label } = operationTable[key];
	return part ? `'${label}: ${part}' (${key}${part})` : `'${label}' (${key})`;
}

function refusePath(key: OperationKey, path: string, what: string): UserError {
	return new UserError(`The path ${fieldName(key)} of the credential ${what}: "${path}"`, {
		description: `Under 'Operation Paths', enter a path below /api/v1/ only, e.g. "scans/{scanId}/verdict/".`,
	});
}

/** Whether a path, read as every client reads it, is what it says: plain, and below the root. */
function isBelowRoot(path: string): boolean {
	const address = `https://service${SCANNING_ROOT}${path.replaceAll('{scanId}', 'id')}`;
	return parseUrl(address)?.href === address;
}

/**
 * A path of the credential, from the root of the service: with `/api/v1/` before it and a slash at
 * its end, as every path of the scanning service has them.
 *
 * @throws UserError for anything that could leave the interface: a scheme or host, a query, `..`.
 */
export function normalisePath(key: OperationKey, typed: string): string {
	const below = typed.replace(/^\/?(api\/v1(\/|$))?/, '');
	if (/[{}]/.test(below.replaceAll('{scanId}', ''))) {
		throw refusePath(key, typed, 'holds a placeholder other than {scanId}');
	}
	// Some gateways decode these, or cut a path at them.
	if (/[%;]/.test(below)) throw refusePath(key, typed, 'holds % or ;');
	if (below === '' || /^\/|[?#:]/.test(below) || !isBelowRoot(below)) {
		throw refusePath(key, typed, 'is not a path below /api/v1/');
	}
	if (!operationTable[key].takesScanId && below.includes('{scanId}')) {
		throw refusePath(key, typed, 'holds {scanId}, but there is none yet');
	}
	return `${SCANNING_ROOT}${below}${below.endsWith('/') ? '' : '/'}`;
}

function chosenMethod(key: OperationKey, typed: string): Method {
	const method = METHODS.find((known) => known === typed.toUpperCase());
	if (method) return method;
	throw new UserError(
		`The ${fieldName(key, 'Method')} of the credential is not known: "${typed}"`,
		{
			description: `Use one of ${METHODS.join(', ')}.`,
		},
	);
}

/** A verdict that did not travel would be reported as changed. */
function requireVerdict(template = ''): void {
	if (/\{verdict(Word)?\}/.test(template)) return;
	throw new UserError(
		'Could not change the verdict of the scan: the credential does not say where the verdict goes',
		{
			description: `Put {verdict} (the code) or {verdictWord} into ${fieldName('changeVerdict', 'Body')}, and choose a method that sends a body: PATCH, POST or PUT. Nothing was sent.`,
		},
	);
}

/**
 * An operation as this deployment has it: the credential's word before the table's.
 *
 * @throws UserError when an unpublished operation is not described in the credential (it names the
 * fields to fill in), or when a field of the credential is not usable.
 */
export function deployedOperation(
	key: OperationKey,
	settings: OperationSettings,
): DeployedOperation {
	const entry = operationTable[key];
	const typedMethod = settings[`${key}Method`];
	const method = typedMethod === undefined ? entry.method : chosenMethod(key, typedMethod);
	const typedPath = settings[key] ?? entry.path;
	// Of the published operations the package knows itself what they send.
	const needsTemplate = entry.path === undefined && method !== 'GET' && method !== 'DELETE';
	const body = needsTemplate ? settings[`${key}Body`] : undefined;
	const lacksTemplate = needsTemplate && !body;
	if (method === undefined || typedPath === undefined || lacksTemplate) {
		const missing = [
			...(typedPath === undefined ? [fieldName(key)] : []),
			...(method === undefined ? [fieldName(key, 'Method')] : []),
			...(lacksTemplate ? [fieldName(key, 'Body')] : []),
		];
		throw new UserError(
			`Could not ${entry.purpose}: the credential does not say how to call this operation`,
			{
				description: `Add to the credential, under 'Operation Paths': ${missing.join(', ')}. Ask your provider what to enter.`,
			},
		);
	}
	if (key === 'changeVerdict') requireVerdict(body);
	const path = normalisePath(key, typedPath);
	if (entry.takesScanId && !`${path} ${body}`.includes('{scanId}')) {
		throw refusePath(key, path, 'does not say where the ID of the scan goes');
	}
	const template = body === undefined ? undefined : { text: body, field: fieldName(key, 'Body') };
	return { ...entry, method, path, template };
}
