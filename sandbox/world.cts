import type { Clock } from './clock.cts';
import { systemClock } from './clock.cts';
import { AuditLog } from './console/auditLog.cts';
import { ConsoleAccess } from './console/consoleAccess.cts';
import { PageTokens } from './console/pageToken.cts';
import type { ConsoleParts } from './console/parts.cts';
import type { Environment } from './fixtures/accounts.cts';
import { Arrivals } from './scanning/arrivals.cts';
import { Callbacks } from './scanning/callbacks.cts';
import { Directory } from './scanning/directory.cts';
import type { ScanningParts } from './scanning/parts.cts';
import { RateLimit } from './scanning/rateLimit.cts';
import { ScanStore } from './scanning/scanStore.cts';
import { seedEmails } from './scanning/seededEmails.cts';
import type { SettingsPatch } from './settings.cts';
import { applyPatch, checkedPatch, defaultSettings } from './settings.cts';
import { Faults } from './wire/faults.cts';
import { Journal } from './wire/journal.cts';
import type { Surroundings } from './wire/server.cts';

export interface WorldOptions {
	/** The computer's own clock unless told. */
	clock?: Clock;
	/** Decides everything that looks random; 1 unless told. */
	seed?: number;
	/** Receives a line per answered call: method, path and status, nothing else. */
	log?: (line: string) => void;
	/** Settings other than the default ones. */
	settings?: SettingsPatch;
}

/** Everything that the listeners serve and the controls change. */
export interface World extends Surroundings {
	scanning: Record<Environment, ScanningParts>;
	console: ConsoleParts;
	/**
	 * Starts anew at the clock's present moment, with other settings where some are given.
	 * @throws RangeError for a setting that does not exist or does not fit.
	 */
	reset(settings?: SettingsPatch): void;
}

/** @throws RangeError for a setting that does not exist or does not fit. */
export function createWorld(options: WorldOptions): World {
	const { clock = systemClock, seed = 1 } = options;
	const initial = checkedPatch(options.settings ?? {});
	const around: Surroundings = {
		clock,
		settings: startSettings(initial),
		journal: new Journal(options.log),
		faults: new Faults(),
	};
	const scanning = {
		us: freshScanning('us', around, seed),
		eu: freshScanning('eu', around, seed + 1000),
		aus: freshScanning('aus', around, seed + 2000),
	};
	const console = freshConsole(around, seed);
	return {
		...around,
		scanning,
		console,
		reset(settings = initial) {
			applyPatch(around.settings, startSettings(checkedPatch(settings)));
			around.journal.clear();
			around.faults.clear();
			Object.values(scanning).forEach((parts, position) => {
				parts.callbacks.close();
				Object.assign(parts, freshScanning(parts.environment, around, seed + 1000 * position));
			});
			Object.assign(console, freshConsole(around, seed));
		},
	};
}

function startSettings(initial: SettingsPatch) {
	const settings = defaultSettings();
	applyPatch(settings, initial);
	return settings;
}

function freshScanning(
	environment: Environment,
	around: Surroundings,
	seed: number,
): ScanningParts {
	const directory = new Directory(environment);
	const scans = new ScanStore(seed);
	const { scanning } = around.settings;
	const ids = directory.organizationIds();
	const now = around.clock.now();
	seedEmails(scans, ids, scanning.emailsPerOrganization, now, seed);
	return {
		...around,
		environment,
		directory,
		scans,
		arrivals: new Arrivals(environment, scans, scanning, seed + 500, now),
		rateLimit: new RateLimit(),
		callbacks: new Callbacks(around.clock),
	};
}

function freshConsole(around: Surroundings, seed: number): ConsoleParts {
	const { clock, settings } = around;
	return {
		...around,
		log: new AuditLog(clock, seed, settings.console),
		tokens: new PageTokens(seed),
		access: new ConsoleAccess(clock, seed, settings.console),
	};
}
