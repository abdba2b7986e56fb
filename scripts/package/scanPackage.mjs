/**
 * Runs n8n's package scanner, by which n8n decides on verified nodes, over a folder.
 * Arguments: the folder; `source` for a working tree, `tarball` for an unpacked package.
 */
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

/** What the scanner itself reads of each. */
const PATTERNS = { source: SOURCE_FILE_PATTERNS, tarball: ['**/*.js', 'package.json'] };

const [folder, kind] = process.argv.slice(2);
const { passed, message, details } = await analyzePackage(folder, PATTERNS[kind]);
console.log(
	passed ? `n8n's package scanner finds nothing in the ${kind}.` : `${message}\n${details ?? ''}`,
);
process.exitCode = passed ? 0 : 1;
