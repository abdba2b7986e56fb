import { hexDigits } from '../deterministic.cts';
import type { ScanStore } from './scanStore.cts';
import type { VerdictCode } from './verdicts.cts';

const kinds: ReadonlyArray<readonly [VerdictCode, string]> = [
	['MAL', 'Your parcel could not be delivered'],
	['SPM', 'Limited offer, only today'],
	['CLN', 'Minutes of the meeting'],
	['SUS', 'Change of bank details'],
	['BLK', 'Archive with a password'],
	['MAL', 'Invoice overdue'],
	['CLN', 'Lunch on Friday?'],
	['SPM', 'You have won'],
];
const hourMs = 3_600_000;

/** Emails that were scanned before the sandbox started, so that a release has something to do. */
export function seedEmails(
	scans: ScanStore,
	organizationIds: readonly string[],
	perOrganization: number,
	startMs: number,
	seed: number,
): void {
	for (let round = 0; round < perOrganization; round += 1) {
		organizationIds.forEach((organizationId, position) => {
			const number = round * organizationIds.length + position;
			const [verdict, subject] = kinds[round % kinds.length];
			const createdAtMs = startMs - (perOrganization - round) * hourMs + position * 1000;
			const sender = `sender${number}@mail.example`;
			scans.add(
				{
					organizationId,
					type: 'Email',
					origin: 'email',
					name: subject,
					path: null,
					verdict,
					createdAtMs,
					finishesAtMs: createdAtMs + 5_000,
					sha256: hexDigits(seed, number).repeat(8),
					fileSize: 20_000 + number,
					email: {
						fromAddress: sender,
						subject,
						originalMessageId: `<${hexDigits(seed + 1, number)}@mail.example>`,
					},
					callback: null,
					submission: { encoding: 'email', fields: [] },
				},
				false,
			);
		});
	}
}
