/** The parts of package.json that say what the package has to hold. */
export interface PackageManifest {
	n8n: { nodes: string[]; credentials: string[] };
}

const REQUIRED = ['package.json', 'README.md'];
/** Everything else that is packed would be dead weight, or worse. */
const ALLOWED = [
	/^package\.json$/,
	/^(README|LICENSE|CHANGELOG)(\.md)?$/,
	/^dist\/(nodes|credentials)\/.+\.js$/,
	/^dist\/nodes\/.+\/__schema__\/.+\.json$/,
	/^dist\/nodes\/.+\.node\.json$/,
	/^dist\/icons\/[^/]+\.svg$/,
];

/** What is wrong with the packed files: one that is missing, one that does not belong there. */
export function contentFaults(paths: readonly string[], { n8n }: PackageManifest): string[] {
	const codexFiles = n8n.nodes.map((node) => node.replace(/\.js$/, '.json'));
	const required = [...REQUIRED, ...n8n.nodes, ...n8n.credentials, ...codexFiles];
	const present = new Set(paths);
	const missing = required.filter((path) => !present.has(path));
	const surplus = paths.filter((path) => !ALLOWED.some((pattern) => pattern.test(path)));
	return [
		...missing.map((path) => `${path} is missing`),
		...surplus.map((path) => `${path} does not belong into the package`),
	];
}
