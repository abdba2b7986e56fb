import type { Method } from '../../transport/call';

/** Below here the scanning service has all its operations (docs/interface.md, Endpoints). */
export const SCANNING_ROOT = '/api/v1/';

/** Operations of the scanning service, by the key under which the credential overrides them. */
export type OperationKey =
	| 'scanFile'
	| 'scanUrl'
	| 'getScan'
	| 'listScans'
	| 'changeVerdict'
	| 'requestInvestigation'
	| 'releaseEmail';

/** What is known of an operation. */
export interface OperationEntry {
	/** Its name in the form of the credential. */
	label: string;
	/** `undefined`: not published, so the credential has to name it. */
	method?: Method;
	/** Below `/api/v1/`; `{scanId}` stands for the encoded id. */
	path?: string;
	/** Whether sending it twice does no more than sending it once. */
	idempotent: boolean;
	takesScanId: boolean;
	/** Completes the sentence "Could not …". */
	purpose: string;
	/** What to check first where the service has nothing at its address. */
	ifNotFound?: string;
	/** How to find out whether a call of unclear outcome was carried out. */
	howToCheck?: string;
}

const CHECK_SCAN_ID =
	"Check the ID: perhaps only the long one (full_scan_id) works here. 'Scan: Get Many' shows it.";
const LOOK_FOR_THE_SCAN =
	"Use 'Scan: Get Many' to see whether it was submitted before you submit it again.";
const LOOK_AT_THE_SCAN =
	"Use 'Scan: Get' to see the state of the scan before you run the operation again.";

/**
 * What the scanning interface is taken to be; docs/interface.md says how each line is known. Every
 * path and method in the package comes from here or from the credential.
 */
export const operationTable: Record<OperationKey, OperationEntry> = {
	scanFile: {
		label: 'Scan File',
		method: 'POST',
		path: 'files/',
		idempotent: false,
		takesScanId: false,
		purpose: 'scan the file',
		howToCheck: LOOK_FOR_THE_SCAN,
	},
	scanUrl: {
		label: 'Scan URL',
		method: 'POST',
		path: 'urls/',
		idempotent: false,
		takesScanId: false,
		purpose: 'scan the URL',
		howToCheck: LOOK_FOR_THE_SCAN,
	},
	getScan: {
		label: 'Get Scan',
		method: 'GET',
		path: 'scans/list/{scanId}/',
		idempotent: true,
		takesScanId: true,
		purpose: 'get the scan',
		ifNotFound: CHECK_SCAN_ID,
	},
	listScans: {
		label: 'List Scans',
		method: 'GET',
		path: 'scans/list/',
		idempotent: true,
		takesScanId: false,
		purpose: 'list scans',
	},
	changeVerdict: {
		label: 'Change Verdict',
		idempotent: false,
		takesScanId: true,
		purpose: 'change the verdict of the scan',
		ifNotFound: CHECK_SCAN_ID,
		howToCheck: LOOK_AT_THE_SCAN,
	},
	requestInvestigation: {
		label: 'Request Investigation',
		idempotent: false,
		takesScanId: true,
		purpose: 'request an investigation of the scan',
		ifNotFound: CHECK_SCAN_ID,
		howToCheck: 'Check in the service whether the request arrived before you run it again.',
	},
	releaseEmail: {
		label: 'Release Email',
		// A GET with a side effect, hence not idempotent. The published path ends without a slash;
		// docs/interface.md, Versioning, gives every scanning URL one.
		method: 'GET',
		path: 'quarantine/release/{scanId}/',
		idempotent: false,
		takesScanId: true,
		purpose: 'release the email',
		ifNotFound: CHECK_SCAN_ID,
		howToCheck: LOOK_AT_THE_SCAN,
	},
};
