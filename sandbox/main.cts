/**
 * Runs the sandbox on its own: prints the addresses as one line of JSON, then waits to be ended.
 */
import { parseArgs } from 'node:util';
import type { ListenerName, Sandbox } from './createSandbox.cts';
import { createSandbox, listenerNames } from './createSandbox.cts';
import { parseJson } from './jsonValue.cts';
import { checkedPatch } from './settings.cts';
import type { SettingsPatch } from './settings.cts';

const usage = `Usage: main.cts [--seed N] [--us-port N] [--eu-port N] [--aus-port N] [--console-port N]
                [--control-port N] [--set group.name=value]... [--log]
settings.cts lists the settings; --set console.ratePerMinute=6 is an example.`;

void main();

async function main(): Promise<void> {
	let sandbox: Sandbox;
	try {
		sandbox = sandboxOf(process.argv.slice(2));
	} catch (error) {
		console.error(`${messageOf(error)}\n${usage}`);
		process.exitCode = 2;
		return;
	}
	try {
		console.log(JSON.stringify(await sandbox.listen()));
	} catch (error) {
		console.error(`The sandbox could not start: ${messageOf(error)}`);
		process.exitCode = 1;
		return;
	}
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close());
	}
}

function sandboxOf(args: string[]): Sandbox {
	const { values } = parseArgs({
		args,
		options: {
			'us-port': { type: 'string' },
			'eu-port': { type: 'string' },
			'aus-port': { type: 'string' },
			'console-port': { type: 'string' },
			'control-port': { type: 'string' },
			seed: { type: 'string' },
			set: { type: 'string', multiple: true },
			log: { type: 'boolean' },
		},
	});
	const ports: Partial<Record<ListenerName, number>> = {};
	for (const name of listenerNames) {
		const text = values[`${name}-port`];
		if (text !== undefined) ports[name] = wholeNumber(`${name}-port`, text, 65_535);
	}
	return createSandbox({
		ports,
		seed: values.seed === undefined ? undefined : wholeNumber('seed', values.seed, 2 ** 31),
		settings: settingsOf(values.set ?? []),
		log: values.log ? (line) => console.error(line) : undefined,
	});
}

/** `group.name=value`, the value as JSON or, where it is none, as text. */
function settingsOf(assignments: string[]): SettingsPatch {
	const patch: Record<string, unknown> = {};
	for (const assignment of assignments) {
		const match = /^(?:(\w+)\.)?(\w+)=(.*)$/s.exec(assignment);
		if (!match) throw new RangeError(`"${assignment}" is not like group.name=value`);
		const [, group, name, text] = match;
		const value = parseJson(text) ?? text;
		if (group === undefined) patch[name] = value;
		else patch[group] = { ...(patch[group] as object | undefined), [name]: value };
	}
	return checkedPatch(patch);
}

function wholeNumber(name: string, text: string, maximum: number): number {
	const number = /^\d+$/.test(text) ? Number(text) : NaN;
	if (!(number <= maximum)) throw new RangeError(`--${name} must be a whole number, not "${text}"`);
	return number;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
