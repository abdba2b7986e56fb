import type { Teardown } from '../../scripts/demo/teardown.cts';
import type { N8nHost } from '../../scripts/n8n/host.cts';
import type { Tarball } from '../../scripts/package/tarball.cts';
import type { Say } from '../../scripts/progress.cts';
import type { UsedSecrets } from './secrets/usedSecrets.cts';

/** What a part finds in place, and where it leaves what it makes. */
export interface PartContext {
	/** n8n itself. */
	host: N8nHost;
	/** The package as it is published. */
	tarball: Tarball;
	/** The cache folder, for further tools that are installed with `installOnce`. */
	cache: string;
	/** For progress; it is kept in the artefacts as well. */
	say: Say;
	/** Receives how to end each thing, as soon as it runs; it is run when the part ends. */
	teardown: Teardown;
	/**
	 * An empty folder that stays until the whole run has ended, so that the last part can search it for
	 * secrets: n8n's user folders, databases, logs, the sandbox's log. A database whose files are not
	 * SQLite's is to be dumped into it as text.
	 */
	folder: string;
	/** A folder that is kept after the run: screenshots, and the text of what they show. */
	artefacts: string;
	/** All folders in which the parts of this run leave something. */
	left: readonly string[];
	/** What the part types in beyond the sandbox's own fixed secrets, so that it is searched for. */
	secrets: UsedSecrets;
	/**
	 * Examines one thing, says what it found, and counts it as passed.
	 * @param examine Returns what it found, in a few words, or throws what does not hold.
	 * @throws what `examine` throws, counted as failed: what comes next in a part builds on it
	 */
	check(name: string, examine: () => Promise<string>): Promise<void>;
}

/** One part of the proof in a real n8n. */
export interface Part {
	/** As it is called on the command line; also the name of its folder. */
	name: string;
	/** What it shows, in half a sentence. */
	title: string;
	/** @throws when something does not hold; all but a failed check counts as a failure of its own */
	run(context: PartContext): Promise<void>;
}
