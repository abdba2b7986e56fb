import type { Tarball } from './tarball.cts';

/** The parts of package.json that say what the package has to hold. */
export interface PackageManifest {
	n8n: { nodes: string[]; credentials: string[] };
}

/**
 * Packed, in bytes: a third more than the code has, so that a picture or a library taken along by mistake
 * is noticed, and a mend of some lines is not.
 */
export const LARGEST = 200 * 1024;

/** Everything else that is packed would be dead weight, or worse. */
const BELONGS =
	/^(package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/(credentials|icons|input|nodes|services|transport)\/.+\.(js|json|svg))$/;
const IS_TEST = /(^|\/)(test|__tests__)\/|\.test\./;

/** What is wrong with a packed package: a file that is missing or does not belong there, its size. */
export function packageFaults(
	{ contents, size }: Pick<Tarball, 'contents' | 'size'>,
	{ n8n }: PackageManifest,
): string[] {
	const codexFiles = n8n.nodes.map((node) => node.replace(/\.js$/, '.json'));
	const required = ['README.md', 'LICENSE', ...n8n.nodes, ...n8n.credentials, ...codexFiles];
	const paths = contents.map(({ path }) => path);
	const surplus = paths.filter((path) => !BELONGS.test(path) || IS_TEST.test(path));
	return [
		...required.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
		...surplus.map((path) => `${path} does not belong into the package`),
		...(size > LARGEST ? [`packed it has ${size} bytes, more than ${LARGEST}`] : []),
	];
}
