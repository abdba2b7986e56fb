import { eventItem } from '../../../../nodes/ContentScan/trigger/feedItems';

const CREATED = Date.UTC(2026, 2, 1) / 1000;

describe('the item of a scan that did not finish in time', () => {
	it('tells no time of creation where the list does not show the scan, but when it may have been', () => {
		const event = { event: 'unfinished', created: CREATED, createdUntil: CREATED + 900 } as const;
		const { json } = eventItem(event, true);
		expect(json).toMatchObject({ scanId: null, status: 'pending', clean: null, createdAt: null });
		expect(json.note).toContain('2026-03-01T00:00:00.000Z and 2026-03-01T00:15:00.000Z');
	});

	it('has its own time of creation where it is listed', () => {
		const record = { id: 7, created_at: '2026-03-01T00:07:00Z' };
		const { json } = eventItem({ event: 'unfinished', created: CREATED, record }, true);
		expect(json).toMatchObject({ scanId: '7', createdAt: '2026-03-01T00:07:00Z' });
		expect(json.note).toContain('no longer watched');
	});

	it('tells of a part of the list that the service refused', () => {
		const gap = { created: CREATED, createdUntil: CREATED + 1, isGap: true };
		const { json } = eventItem({ event: 'unfinished', ...gap }, true);
		expect(json).toMatchObject({ scanId: null, clean: null, createdAt: null });
		expect(json.note).toContain('refused every call');
	});
});

it('the item of a scan whose record has CLN beside an error says why it is not clean', () => {
	const ended = { id: 7, verbose_verdict: 'CLN', finished_at: '2026-03-01T00:07:00Z' };
	const itemOf = (record: object) =>
		eventItem({ event: 'finished', created: CREATED, record: { ...ended, ...record } }, true).json;
	expect(itemOf({ error: 'engine timeout' })).toMatchObject({
		...{ status: 'finished', verdict: null, clean: null },
		note: expect.stringContaining("tells an error in 'error'") as string,
	});
	expect(itemOf({ error: null })).toMatchObject({ clean: true });
	expect(itemOf({ error: null })).not.toHaveProperty('note');
});
