import getPort from 'get-port';
import { ActionableError } from '../actionableError.cts';

const HOST = '127.0.0.1';

/** A port of the loopback interface that nobody uses at the moment. */
export async function freePort(): Promise<number> {
	return await getPort({ host: HOST });
}

/**
 * The wanted port, if nobody uses it.
 * @throws ActionableError naming the port and the option that changes it
 */
export async function requirePort(port: number, whatFor: string, option: string): Promise<number> {
	if ((await getPort({ port, host: HOST })) === port) return port;
	throw new ActionableError(
		`Port ${port}, which ${whatFor} would use, is taken by another process.`,
		`End that process (perhaps an earlier 'npm start'), or choose another port with ${option}.`,
	);
}
