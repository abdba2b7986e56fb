import type { Sent } from './fakeService';
import { scan, unknownScan } from './runNode';

/** Submissions to a fake service, and what becomes of them. */

/** Parameters of a submission that does not wait. */
export const submission = (operation: string, parameters: object = {}) =>
	scan(operation, { waitForVerdict: false, ...parameters });

/** What is known of a scan that was submitted. */
export const submitted = (id: string) => ({
	...unknownScan(id),
	status: 'submitted',
	submittedId: id,
});

export const accepted = () => ({ scan_id: 123456 });

/** The file that an upload holds. */
export async function contentOf({ call }: Sent): Promise<string> {
	if (call?.body?.type !== 'multipart') throw new Error('no upload');
	const chunks: Uint8Array[] = [];
	for await (const chunk of await call.body.file.open()) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}
