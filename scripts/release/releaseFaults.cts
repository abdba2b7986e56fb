/** What has to agree before a version is published. */
export interface Release {
	manifest: {
		version: string;
		homepage: string;
		author: { email: string };
		repository: { url: string };
	};
	/** Version in package-lock.json. */
	lockVersion: string;
	changelog: string;
	/** The tag that starts the release; without it, this is a rehearsal. */
	tag?: string;
}

/** What keeps a version from being published. A rehearsal forgives what only the owner can set. */
export function releaseFaults({ manifest, lockVersion, changelog, tag }: Release): string[] {
	const { version } = manifest;
	const entry = changelogEntry(changelog, version);
	const faults = [
		lockVersion !== version &&
			`package.json has version ${version}, package-lock.json has ${lockVersion}`,
		entry === undefined && `CHANGELOG.md has no heading "## ${version} – date"`,
		entry?.text === '' && `CHANGELOG.md says nothing about ${version}`,
	];
	const atRelease =
		tag === undefined
			? []
			: [
					tag !== `v${version}` &&
						`the tag is ${tag}, and the version is ${version}: tag v${version}`,
					entry &&
						!/^\d{4}-\d{2}-\d{2}$/.test(entry.date) &&
						`CHANGELOG.md gives ${version} no date`,
					...placeholders(manifest).map((field) => `package.json: ${field} is still a placeholder`),
				];
	return [...faults, ...atRelease].filter((fault) => typeof fault === 'string');
}

/** Fields of package.json that name nobody yet; npm's provenance needs the true repository. */
export function placeholders(manifest: Release['manifest']): string[] {
	const fields = {
		author: manifest.author.email,
		homepage: manifest.homepage,
		repository: manifest.repository.url,
	};
	return Object.entries(fields)
		.filter(([, value]) => /\bexample\.com\b/.test(value))
		.map(([field]) => field);
}

function changelogEntry(changelog: string, version: string) {
	for (const section of changelog.split(/^## /m).slice(1)) {
		const [heading, ...lines] = section.split('\n');
		const [title, date = ''] = heading.split(' – ');
		if (title.trim() === version) return { date: date.trim(), text: lines.join('\n').trim() };
	}
	return undefined;
}
