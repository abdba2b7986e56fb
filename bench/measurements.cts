import { measureEntryCosts, measureFarAway } from './entriesPerSecond/measure.cts';
import { measureReading } from './entriesPerSecond/reading.cts';
import { measureToSink } from './entriesPerSecond/toSink.cts';
import { measureMemory, measureState } from './backlog/measure.cts';
import { measureIdlePoll } from './idlePoll/measure.cts';
import { measureLargeUpload } from './upload/measure.cts';
import { measureLicensedRate, measureSharedRate } from './queue/measure.cts';
import { measureLoading } from './loading/measure.cts';
import { measureMoveOn } from './moveOn/measure.cts';
import { measurePackedSize } from './packedSize/measure.cts';
import { measureScans } from './scansWithoutLimit/measure.cts';
import type { Measurement } from './measurement.cts';

/** Everything that `npm run bench` measures, in the order in which it is measured and shown. */
export const measurements: readonly Measurement[] = [
	{
		name: 'to-sink',
		what: '100,000 entries into a SIEM',
		against:
			'plain axios that reads and posts the same batches; the trigger with items; what a user would build of n8n’s own nodes',
		goal: '0.5 of axios; 2.5 times the trigger with items; 25 times n8n’s own nodes',
		quick: true,
		measure: measureToSink,
	},
	{
		name: 'reading',
		what: 'Reading the log',
		against: 'plain axios over the same pages',
		goal: '0.75 of axios without keep-alive',
		quick: false,
		measure: measureReading,
	},
	{
		name: 'entry-costs',
		what: 'What looking after an entry costs',
		against: '',
		goal: '3 µs to remember an entry',
		quick: true,
		measure: measureEntryCosts,
	},
	{
		name: 'far-away',
		what: 'Entries a second from a server that is far away',
		against: 'plain axios at pages of 100; what a user would build of n8n’s own nodes',
		goal: '5 times axios with keep-alive, 6 times HTTP Request with Split Out',
		quick: false,
		measure: measureFarAway,
	},
	{
		name: 'memory',
		what: 'Memory added while a backlog is drained',
		against: 'the process before it',
		goal: 'under 150 MB for 1,000,000 entries with text; none missing, twice or out of order',
		quick: true,
		measure: measureMemory,
	},
	{
		name: 'state',
		what: 'Largest stored state',
		against: '',
		goal: 'under 64 KB at 1,000 entries a minute, under 256 KB on any log',
		quick: false,
		measure: measureState,
	},
	{
		name: 'move-on',
		what: 'Waiting for the workflow before moving on',
		against: 'handing over',
		goal: 'at most 10 % more for a batch of 10,000 entries; 100,000 entries in ten batches in one poll',
		quick: false,
		measure: measureMoveOn,
	},
	{
		name: 'idle-poll',
		what: 'A poll that finds nothing new',
		against: 'a poll of n8n’s RSS trigger',
		goal: 'exactly one request; 1.2 of its processor time with 20 entries in the lookback, 0.8 with 90',
		quick: true,
		measure: measureIdlePoll,
	},
	{
		name: 'licensed-rate',
		what: 'Scans at the licensed rate',
		against: 'the least time that the rate allows',
		goal: 'within 2 %, no 429, none lost',
		quick: true,
		measure: measureLicensedRate,
	},
	{
		name: 'shared-rate',
		what: 'A rate that is found out by 429s',
		against: 'the rate that the service allows',
		goal: 'at least 85 % used with at most 6 % refused, after two minutes; none lost, twice or overtaken',
		quick: true,
		measure: measureSharedRate,
	},
	{
		name: 'scans-without-limit',
		what: '200 scans without a rate limit',
		against: 'the HTTP Request node on the same items',
		goal: 'as fast',
		quick: true,
		measure: measureScans,
	},
	{
		name: 'large-upload',
		what: 'Uploading 500 MB',
		against: '`curl -F` to the same server; the HTTP Request node with the same file',
		goal: '0.5 of curl, 1.5 times HTTP Request, less than 32 MB of memory added',
		quick: false,
		measure: measureLargeUpload,
	},
	{
		name: 'loading',
		what: 'Loading the package in n8n',
		against: 'an empty package',
		goal: 'under 30 ms more',
		quick: true,
		measure: measureLoading,
	},
	{
		name: 'packed-size',
		what: 'Size of the package',
		against: '',
		goal: 'under 90 KB packed, no dependency',
		quick: true,
		measure: measurePackedSize,
	},
];
