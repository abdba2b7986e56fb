import { digestOf } from '../../../../services/digestOf';
import {
	EntryIdentities,
	identified,
	identifiedInTurn,
	identityText,
} from '../../../../nodes/ConsoleAuditLog/reading/entryIdentity';

const FIELDS = { idField: 'auditlogId', timestampField: 'createdAt' };

describe('what tells one entry from another', () => {
	const identity = (entry: Record<string, unknown>) => new EntryIdentities(FIELDS).next(entry);
	const textOf = (entry: Record<string, unknown>) => identityText(identity(entry));

	test('is its id, whatever else changes', () => {
		expect(identity({ auditlogId: 'a', x: 1 })).toEqual(identity({ auditlogId: 'a', x: 2 }));
		expect(identity({ auditlogId: 7 }).hasId).toBe(true);
	});

	test('is an ID of its type: a number is another than its text', () => {
		expect(textOf({ auditlogId: 1 })).not.toBe(textOf({ auditlogId: '1' }));
		expect(textOf({ auditlogId: '1' })).not.toBe(textOf({ auditlogId: 'number 1' }));
	});

	test('is an ID of half a character, which has no bytes of its own', () => {
		const digests = ['a\ud800', 'a\ud801', 'a\ufffd'].map((auditlogId) =>
			digestOf(textOf({ auditlogId })),
		);
		expect(new Set(digests).size).toBe(3);
	});

	test('is its content where its ID is a number too large to be exact', () => {
		const [one, other] = ['9007199254740992', '9007199254740993'].map((id) =>
			identity(JSON.parse(`{"auditlogId":${id},"action":"${id}"}`)),
		);
		expect(one).not.toEqual(other);
		expect(one.hasId).toBe(false);
	});

	test('is its content where it has no id, in whatever order', () => {
		expect(identity({ x: 1, y: { a: 1, b: [1, 2] } })).toEqual(
			identity({ y: { b: [1, 2], a: 1 }, x: 1 }),
		);
		expect(identity({ x: [1, 2] })).not.toEqual(identity({ x: [2, 1] }));
		expect(identity({ auditlogId: '', x: 1 }).hasId).toBe(false);
		expect(identity({ auditlogId: { a: 1 } }).hasId).toBe(false);
	});

	test('is how often its content came before, where that is all there is', () => {
		const identities = new EntryIdentities(FIELDS);
		const first = identities.next({ x: 1 });
		expect(identities.next({ x: 1 })).not.toEqual(first);
		identities.restart();
		expect(identities.next({ x: 1 })).toEqual(first);
	});

	test('is no property that every object has', () => {
		expect(new EntryIdentities({ ...FIELDS, idField: 'constructor.name' }).next({}).hasId).toBe(
			false,
		);
	});

	test('is worked out only where it is asked for, with those before it', () => {
		let looks = 0;
		const watched = () => ({
			x: 1,
			get y() {
				return ++looks > 0;
			},
		});
		const entries = identified([watched(), watched(), watched()], FIELDS);
		expect(entries.map(({ entry }) => entry.x)).toEqual([1, 1, 1]);
		expect(looks).toBe(0);
		const [second, first] = [entries[1].identity, entries[0].identity];
		expect(second).not.toEqual(first);
		expect(looks).toBe(2);
	});

	test('is the same where all are worked out in turn, with a pause before each', async () => {
		const entries = [{ x: 1 }, { auditlogId: 'a' }, { x: 1 }];
		let pauses = 0;
		const inTurn = await identifiedInTurn(entries, FIELDS, async () => void pauses++);
		expect(inTurn).toEqual(identified(entries, FIELDS).map((one) => ({ ...one })));
		expect(pauses).toBe(3);
	});

	test('is an id that no content can imitate', () => {
		expect(digestOf(textOf({ auditlogId: 'a' }))).not.toBe(digestOf('content id a'));
		expect(Buffer.from(digestOf('x'), 'latin1').toString('hex')).toBe('2d711642b726b044');
	});
});
