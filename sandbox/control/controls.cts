import type { EntryToAppend } from '../console/appendedEntries.cts';
import type { Environment, LicensedFunction, Role, TokenLabel } from '../fixtures/accounts.cts';
import { environments } from '../fixtures/accounts.cts';
import type { JsonObject } from '../jsonValue.cts';
import type { ArrivingScan } from '../scanning/arrivals.cts';
import type { Delivery } from '../scanning/callbacks.cts';
import { scanRecord } from '../scanning/scanRecord.cts';
import type { Investigation } from '../scanning/scanStore.cts';
import type { Settings, SettingsPatch } from '../settings.cts';
import { applyPatch, checkedPatch, onlyAtStart } from '../settings.cts';
import type { Faults } from '../wire/faults.cts';
import type { Journal } from '../wire/journal.cts';
import type { World } from '../world.cts';

/** A scan as a test may see it: the record, and what the service itself does not show. */
export interface ScanView {
	submittedId: number;
	record: JsonObject;
	submission: { encoding: string; fields: string[] };
}

/** What a test, a benchmark or the demo may do to the sandbox from behind the scenes. */
export class SandboxControls {
	constructor(protected readonly world: World) {}

	/** Faults that are switched on; see faults.cts. */
	get faults(): Faults {
		return this.world.faults;
	}

	/** The calls that came in; see journal.cts. */
	get journal(): Journal {
		return this.world.journal;
	}

	get settings(): Readonly<Settings> {
		return this.world.settings;
	}

	/**
	 * Changes settings from the next call on.
	 * @throws RangeError for one that does not exist, does not fit, or only counts at the start.
	 */
	configure(patch: SettingsPatch): void {
		const checked = checkedPatch(patch);
		for (const name of Object.keys({ ...checked.scanning, ...checked.console })) {
			if (onlyAtStart.includes(name)) throw new RangeError(`"${name}" only counts at the start`);
		}
		applyPatch(this.world.settings, checked);
		const rate = checked.console?.ratePerMinute;
		if (rate !== undefined) this.world.console.log.changeRate(rate);
	}

	/**
	 * Starts anew: scans, log, tokens, faults, journal, and the settings, those given here or else
	 * those of the first start. Here even those can change that only count at the start.
	 * @throws RangeError for a setting that does not exist or does not fit.
	 */
	reset(settings?: SettingsPatch): void {
		this.world.reset(settings);
	}

	/** Puts entries into the audit log; see `EntryToAppend`. @returns their ids. */
	append(entries: readonly EntryToAppend[]): Array<string | null> {
		return this.world.console.log.append(entries);
	}

	/** Ids of the audit entries that can be seen now, by creation time in milliseconds, inclusive. */
	entryIds(fromMs = 0, toMs = Infinity): Array<string | null> {
		return this.world.console.log.idsBetween(fromMs, toMs);
	}

	entryCount(): { generated: number; appended: number } {
		return this.world.console.log.count();
	}

	/** Every page token issued so far is refused from now on. */
	refusePageTokens(): void {
		this.world.console.tokens.refuseAll();
	}

	/** Every bearer token issued so far is refused from now on. */
	revokeBearers(): void {
		this.world.console.access.revokeBearers();
	}

	setServiceAccountRevoked(revoked: boolean): void {
		this.world.console.access.setServiceAccountRevoked(revoked);
	}

	/** Revokes or restores an API token, or changes its user's role. */
	changeToken(label: TokenLabel, change: { revoked?: boolean; role?: Role }): void {
		for (const name of environments) {
			this.world.scanning[name].directory.changeToken(label, change);
		}
	}

	/** @throws RangeError for an organization that does not exist. */
	setLicensed(organizationId: string, name: LicensedFunction, licensed: boolean): void {
		const known = environments.filter((environment) =>
			this.world.scanning[environment].directory.setLicensed(organizationId, name, licensed),
		);
		if (known.length === 0) throw new RangeError(`There is no organization ${organizationId}`);
	}

	/** Every scan of an environment, whoever may see it, oldest first. */
	scans(environment: Environment): ScanView[] {
		const now = this.world.clock.now();
		return this.world.scanning[environment].scans.all().map((scan) => ({
			submittedId: scan.submittedId,
			record: scanRecord(scan, now),
			submission: scan.submission,
		}));
	}

	/** Lets scans come in that nobody submitted; see `ArrivingScan`. @returns their full ids. */
	arrive(environment: Environment, scans: readonly ArrivingScan[]): string[] {
		const { arrivals } = this.world.scanning[environment];
		return arrivals.add(scans, this.world.clock.now()).map(({ fullScanId }) => fullScanId);
	}

	/** Full ids of the scans whose email has been released, by whatever call. */
	releasedEmails(environment: Environment): string[] {
		const all = this.world.scanning[environment].scans.all();
		return all.filter((scan) => scan.quarantine === 'released').map((scan) => scan.fullScanId);
	}

	investigations(environment: Environment): readonly Investigation[] {
		return this.world.scanning[environment].scans.investigations;
	}

	/** What became of the callbacks. */
	callbacks(environment: Environment): readonly Delivery[] {
		return this.world.scanning[environment].callbacks.deliveries;
	}

	/** Delivers the callbacks that are due by now and waits for the receivers' answers. */
	async flushCallbacks(): Promise<void> {
		await Promise.all(environments.map((name) => this.world.scanning[name].callbacks.flush()));
	}
}
