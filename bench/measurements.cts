import {
	measureEntriesPerSecond,
	measureFarAway,
	measureGrowingPages,
} from './entriesPerSecond/measure.cts';
import { measureGrowingLog, measureMemory, measureState } from './backlog/measure.cts';
import { measureIdlePoll } from './idlePoll/measure.cts';
import { measureLargeUpload } from './upload/measure.cts';
import { measureLicensedRate, measureSharedRate } from './queue/measure.cts';
import { measureLatency } from './latency/measure.cts';
import { measureLoading } from './loading/measure.cts';
import { measurePackedSize } from './packedSize/measure.cts';
import { measureScans } from './scansWithoutLimit/measure.cts';
import type { Measurement } from './measurement.cts';

/** Everything that `npm run bench` measures, in the order in which it is measured and shown. */
export const measurements: readonly Measurement[] = [
	{
		name: 'entries-per-second',
		what: 'Entries a second',
		against: 'plain axios over the same pages; what a user would build of n8n’s own nodes',
		goal: '0.9 of axios without keep-alive, 25 times HTTP Request with Split Out and Remove Duplicates, twice the same without Remove Duplicates',
		quick: true,
		measure: measureEntriesPerSecond,
	},
	{
		name: 'growing-pages',
		what: 'Entries a second at default settings',
		against: 'plain axios with keep-alive at pages of 100',
		goal: '1.3 times as fast',
		quick: true,
		measure: measureGrowingPages,
	},
	{
		name: 'far-away',
		what: 'Entries a second from a server that is far away',
		against: 'plain axios at pages of 100; what a user would build of n8n’s own nodes',
		goal: '0.9 of axios at the same pages; at default settings 1.3 times axios with keep-alive and twice HTTP Request with Split Out',
		quick: false,
		measure: measureFarAway,
	},
	{
		name: 'memory',
		what: 'Memory added while a backlog is drained',
		against: 'the process before it',
		goal: 'under 150 MB for 1,000,000 entries, and the same for 100,000; none missing, twice or out of order',
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
		name: 'idle-poll',
		what: 'A poll that finds nothing new',
		against: 'a poll of n8n’s RSS trigger',
		goal: 'exactly one request, and no more processor time',
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
		against: 'the HTTP Request node on the same items; plain axios with the same concurrency',
		goal: 'as fast as HTTP Request, 0.8 of axios',
		quick: true,
		measure: measureScans,
	},
	{
		name: 'large-upload',
		what: 'Uploading 500 MB',
		against: '`curl -F` to the same server; the HTTP Request node with the same file',
		goal: '0.8 of its speed, less than 32 MB of memory added',
		quick: false,
		measure: measureLargeUpload,
	},
	{
		name: 'latency',
		what: 'From the log to the workflow',
		against: '',
		goal: 'none: n8n polls once a minute at most',
		quick: false,
		measure: measureLatency,
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
		goal: 'under 110 KB packed, no dependency',
		quick: true,
		measure: measurePackedSize,
	},
	{
		name: 'growing-log',
		what: 'Cost as the log grows',
		against: 'itself, from 1,000 to 1,000,000 entries',
		goal: 'a straight line',
		quick: false,
		measure: measureGrowingLog,
	},
];
