import { feedMemory } from '../../../../nodes/ContentScan/trigger/feedMemory';

it('what is known of a list is not taken for that of another one, nor after Start Over', () => {
	const before = feedMemory('trigger', 'scope');
	expect(feedMemory('trigger', 'scope')).toBe(before);
	expect(feedMemory('another trigger', 'scope')).not.toBe(before);
	expect(feedMemory('trigger', 'another scope')).not.toBe(before);
	expect(feedMemory('trigger', 'scope')).not.toBe(before);
});
