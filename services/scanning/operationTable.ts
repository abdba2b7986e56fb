import type { Method } from '../../transport/call';

/** Below here the scanning service has all its operations (docs/interface.md, Endpoints). */
export const SCANNING_ROOT = '/api/v1/';

/** Where a piece of knowledge about the interface comes from. docs/interface.md says which. */
export type KnowledgeSource =
	| 'documented'
	| 'published code'
	| 'third party'
	| 'inferred'
	| 'not published';

/** Operations of the scanning service, by the key under which the credential overrides them. */
export type OperationKey =
	| 'scanFile'
	| 'scanUrl'
	| 'getScan'
	| 'listScans'
	| 'changeVerdict'
	| 'requestInvestigation'
	| 'releaseEmail';

/** How the values of an operation travel. */
export type Encoding = 'multipart or form' | 'form' | 'query' | 'path' | 'JSON template';

/** What is known of an operation. */
export interface OperationEntry {
	/** Its name in the form of the credential. */
	label: string;
	/** `undefined`: not published, so the credential has to name it. */
	method?: Method;
	/** Below `/api/v1/`; `{scanId}` stands for the encoded id. */
	path?: string;
	encoding: Encoding;
	/** Whether sending it twice does no more than sending it once. */
	idempotent: boolean;
	takesScanId: boolean;
	source: { address: KnowledgeSource; encoding: KnowledgeSource };
	/** Completes the sentence "Could not …". */
	purpose: string;
	/** What to check first where the service has nothing at its address. */
	ifNotFound?: string;
	/** How to find out whether a call of unclear outcome was carried out. */
	howToCheck?: string;
}

const CHECK_SCAN_ID =
	"Check the ID: perhaps only the long one (full_scan_id) is known here, which 'Scan: Get Many' shows.";
const LOOK_FOR_THE_SCAN =
	"Look with 'Scan: Get Many' whether it was submitted, before you submit it again.";
const LOOK_AT_THE_SCAN = "Look with 'Scan: Get' at the state of the scan before you run it again.";

/**
 * The one table of what the scanning interface is taken to be. Every path and method in the package
 * comes from here or from the credential.
 */
export const operationTable: Record<OperationKey, OperationEntry> = {
	scanFile: {
		label: 'Scan File',
		method: 'POST',
		path: 'files/',
		encoding: 'multipart or form',
		idempotent: false,
		takesScanId: false,
		source: { address: 'documented', encoding: 'inferred' },
		purpose: 'scan the file',
		howToCheck: LOOK_FOR_THE_SCAN,
	},
	scanUrl: {
		label: 'Scan URL',
		method: 'POST',
		path: 'urls/',
		encoding: 'form',
		idempotent: false,
		takesScanId: false,
		source: { address: 'documented', encoding: 'published code' },
		purpose: 'scan the URL',
		howToCheck: LOOK_FOR_THE_SCAN,
	},
	getScan: {
		label: 'Get Scan',
		method: 'GET',
		path: 'scans/list/{scanId}/',
		encoding: 'path',
		idempotent: true,
		takesScanId: true,
		source: { address: 'third party', encoding: 'third party' },
		purpose: 'get the scan',
		ifNotFound: CHECK_SCAN_ID,
	},
	listScans: {
		label: 'List Scans',
		method: 'GET',
		path: 'scans/list/',
		encoding: 'query',
		idempotent: true,
		takesScanId: false,
		source: { address: 'documented', encoding: 'documented' },
		purpose: 'list scans',
	},
	changeVerdict: {
		label: 'Change Verdict',
		encoding: 'JSON template',
		idempotent: false,
		takesScanId: true,
		source: { address: 'not published', encoding: 'not published' },
		purpose: 'change the verdict of the scan',
		ifNotFound: CHECK_SCAN_ID,
		howToCheck: LOOK_AT_THE_SCAN,
	},
	requestInvestigation: {
		label: 'Request Investigation',
		encoding: 'JSON template',
		idempotent: false,
		takesScanId: true,
		source: { address: 'not published', encoding: 'not published' },
		purpose: 'request an investigation of the scan',
		ifNotFound: CHECK_SCAN_ID,
		howToCheck: 'Ask at the service whether the request arrived before you run it again.',
	},
	releaseEmail: {
		label: 'Release Email',
		// A GET with a side effect, hence not idempotent. The published path ends without a slash;
		// docs/interface.md, Endpoints, gives every scanning URL one.
		method: 'GET',
		path: 'quarantine/release/{scanId}/',
		encoding: 'path',
		idempotent: false,
		takesScanId: true,
		source: { address: 'published code', encoding: 'published code' },
		purpose: 'release the email',
		ifNotFound: CHECK_SCAN_ID,
		howToCheck: LOOK_AT_THE_SCAN,
	},
};
