import { requirePort } from '../n8n/freePort.cts';

const LARGEST_PORT = 65_535;

/** How another port is chosen. */
const OPTION = '`npm start -- --port NUMBER`';

/**
 * n8n's port, and those of the sandbox after it: fixed ones, so that the trigger's state, which names its
 * console, lasts over restarts.
 * @throws Error for what is no port; ActionableError for one that is taken
 */
export async function demoPorts(text: string) {
	const n8n = Number(text);
	if (!Number.isInteger(n8n) || n8n < 1 || n8n + 2 > LARGEST_PORT) {
		throw new Error(`'${text}' is not a port.`);
	}
	await requirePort(n8n, 'n8n', OPTION);
	await requirePort(n8n + 1, "the sandbox's scanning service", OPTION);
	await requirePort(n8n + 2, "the sandbox's console", OPTION);
	return { n8n, us: n8n + 1, console: n8n + 2 };
}
