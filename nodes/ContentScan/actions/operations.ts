import { changeVerdict } from './scan/changeVerdict';
import { getManyScans } from './scan/getManyScans';
import { getScan } from './scan/getScan';
import type { Operation } from './itemRun';
import { releaseEmail } from './email/releaseEmail';
import { requestInvestigation } from './scan/requestInvestigation';
import { scanFile } from './scan/scanFile';
import { scanUrl } from './scan/scanUrl';

/** By `resource:operation`. */
const operations = new Map<string, Operation>([
	['scan:scanFile', scanFile],
	['scan:scanUrl', scanUrl],
	['scan:get', getScan],
	['scan:getAll', getManyScans],
	['scan:changeVerdict', changeVerdict],
	['scan:requestInvestigation', requestInvestigation],
	['email:release', releaseEmail],
]);

/** @returns `undefined` for an operation that the resource does not have. */
export function operationFor(resource: string, operation: string): Operation | undefined {
	return operations.get(`${resource}:${operation}`);
}
