import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createConsoleServer } from './console/consoleServer.cts';
import { SandboxControls } from './control/controls.cts';
import { createControlServer } from './control/controlServer.cts';
import type { Environment } from './fixtures/accounts.cts';
import { environments } from './fixtures/accounts.cts';
import { createScanServer } from './scanning/scanServer.cts';
import type { World, WorldOptions } from './world.cts';
import { createWorld } from './world.cts';

export type ListenerName = Environment | 'console' | 'control';
export const listenerNames: readonly ListenerName[] = [...environments, 'console', 'control'];

export interface SandboxOptions extends WorldOptions {
	/** Ports of 127.0.0.1; a free one where none is told. */
	ports?: Partial<Record<ListenerName, number>>;
}

/** `http://127.0.0.1:<port>` of each listener. */
export type Addresses = Record<ListenerName, string>;

/** A whole sandbox: five listeners, and the controls that the control listener offers over HTTP. */
export class Sandbox extends SandboxControls {
	private readonly servers: Record<ListenerName, FastifyInstance>;
	private listening: Addresses | null = null;

	constructor(
		world: World,
		private readonly ports: Partial<Record<ListenerName, number>>,
	) {
		super(world);
		this.servers = {
			us: createScanServer(world.scanning.us),
			eu: createScanServer(world.scanning.eu),
			aus: createScanServer(world.scanning.aus),
			console: createConsoleServer(world.console),
			control: createControlServer(this),
		};
	}

	/** @throws Error before `listen`. */
	get addresses(): Addresses {
		if (!this.listening) throw new Error('The sandbox does not listen yet');
		return this.listening;
	}

	/** Where the console hands out bearer tokens. */
	get tokenUrl(): string {
		return `${this.addresses.console}/oauth2/token`;
	}

	/**
	 * Starts every listener, or none.
	 * @throws the system's error, e.g. EADDRINUSE for a port that is taken.
	 */
	async listen(): Promise<Addresses> {
		try {
			for (const name of listenerNames) {
				await this.servers[name].listen({ host: '127.0.0.1', port: this.ports[name] ?? 0 });
			}
		} catch (error) {
			await this.close();
			throw error;
		}
		const address = (name: ListenerName): string => {
			const { port } = this.servers[name].server.address() as AddressInfo;
			return `http://127.0.0.1:${port}`;
		};
		this.listening = {
			us: address('us'),
			eu: address('eu'),
			aus: address('aus'),
			console: address('console'),
			control: address('control'),
		};
		return this.listening;
	}

	/** Ends every listener at once, open connections and hanging answers included. */
	async close(): Promise<void> {
		for (const name of environments) this.world.scanning[name].callbacks.close();
		await Promise.all(Object.values(this.servers).map(async (server) => await server.close()));
	}
}

/** @throws RangeError for a setting that does not exist or does not fit. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
	return new Sandbox(createWorld(options), options.ports ?? {});
}
