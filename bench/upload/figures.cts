import { markdownTable } from '../../scripts/measurements/markdownTable.cts';
import { originOf, type Records } from '../../scripts/measurements/records.cts';
import type { UploadRun } from './measureUpload.cts';
import type { StorageMode } from './uploadingN8n.cts';

const MIB = 1024 * 1024;

/** What is promised where binaries lie on disk: bytes added by an upload, and speed against curl. */
const BOUNDS = { added: 32 * MIB, speed: 0.8 };

/** Uploads of one file. Memory is in bytes and that of the first upload, in a fresh n8n. */
export interface UploadFigures
	extends Pick<
		UploadRun,
		'idle' | 'addedByReading' | 'addedByUpload' | 'aboveIdle' | 'buffersSwing'
	> {
	mode: StorageMode;
	megabytes: number;
	/** Seconds of each upload, and of one by curl right before it. */
	seconds: Array<{ node: number; curl: number }>;
	/** Versions. */
	n8n: string;
	node: string;
}

/** How much faster than curl; of several uploads the middle one. */
function speed({ seconds }: UploadFigures): number {
	return middle(seconds.map(({ node, curl }) => curl / node));
}

function middle(numbers: number[]): number {
	return numbers.sort((one, other) => one - other)[Math.floor((numbers.length - 1) / 2)];
}

export function memoryTable(all: readonly UploadFigures[]): string {
	const rows = all.map((figures) => {
		const { idle, addedByReading, addedByUpload, aboveIdle, buffersSwing } = figures;
		const bytes = [idle, addedByReading, addedByUpload, aboveIdle, buffersSwing];
		return [figures.megabytes, ...bytes.map((number) => Number((number / MIB).toFixed(1)))];
	});
	return markdownTable(
		[
			'File (MB)',
			'n8n, idle (MB)',
			'Added by reading (MB)',
			'Added by the upload (MB)',
			'Peak above idle (MB)',
			'Swing of the buffers (MB)',
		],
		rows,
	);
}

export function speedTable(all: readonly UploadFigures[]): string {
	const rows = all.map((figures) => {
		const ofNode = middle(figures.seconds.map(({ node }) => node));
		const ofCurl = middle(figures.seconds.map(({ curl }) => curl));
		const rate = (seconds: number): number => Math.round(figures.megabytes / seconds);
		const times = [Number(ofNode.toFixed(2)), Number(ofCurl.toFixed(2))];
		const { megabytes, seconds } = figures;
		return [
			megabytes,
			seconds.length,
			...times,
			rate(ofNode),
			rate(ofCurl),
			speed(figures).toFixed(2),
		];
	});
	const times = ['Node (s)', 'curl (s)', 'Node (MB/s)', 'curl (MB/s)'];
	return markdownTable(['File (MB)', 'Uploads', ...times, 'Speed against curl'], rows);
}

/** What is wrong with the figures, in sentences; none is what should be. */
export function faultsOf(figures: UploadFigures): string[] {
	const { mode, megabytes, addedByUpload } = figures;
	if (mode !== 'filesystem') return [];
	const added = (addedByUpload / MIB).toFixed(1);
	return [
		...(addedByUpload <= BOUNDS.added ? [] : [`${megabytes} MB: ${added} MB of memory added.`]),
		...(speed(figures) >= BOUNDS.speed
			? []
			: [`${megabytes} MB: ${speed(figures).toFixed(2)} of the speed of curl.`]),
	];
}

/** The page of figures; it is written by `npm run bench:upload -- --record` and not by hand. */
export function uploadPage(records: Records<UploadFigures>): string {
	const all = Object.values(records).map(({ figures }) => figures);
	const onDisk = all.filter(({ mode }) => mode === 'filesystem');
	const inMemory = all.filter(({ mode }) => mode === 'default');
	const versions = new Set(all.map(({ n8n, node }) => `n8n ${n8n} on Node ${node}`));
	return `# Large files

What memory an upload takes in the real n8n, and how fast it is. Written by the commands below with
\`--record\`.

${originOf(records)}

Measured: ${[...versions].join(', ')}, a process of its own for each size. A workflow reads a file
from disk into n8n's binary storage, rests, uploads it with Scan File to the sandbox, and rests. The
resident set of n8n's process is read from outside ten times a second; what its buffers take is told by
a script inside the process. The sandbox reports the SHA-256 and the size of what arrived, and both are
compared with the file's.

## Binary data on disk (n8n's default but in queue mode)

${memoryTable(onDisk)}

![Memory of n8n's process over time](upload.svg)

- **Added by reading**: peak of the resident set while n8n itself put the file into storage, above idle.
- **Added by the upload**: peak while the node ran, above what the process took just before.
- **Swing of the buffers**: the most that the process's buffers took during the upload, less the least;
  what waited for the garbage collector is included.

The memory does not grow with the file. The upload holds one or two pieces of 64 KB at a time; what the
buffers show beyond that is pieces that were sent and not yet collected. V8 lets them grow to about
64 MB, whatever the size of the file, before it collects them; most of that is memory which n8n had
taken from the system before.

## Speed

The time of the node, for uploads of the same file one after the other, and of
\`curl -F\` to the same sandbox right before each; the middle ones. The ratio is the middle of the
ratios. n8n, the sandbox and curl share the processors.

${speedTable(all)}

Up to about 64 MB the node is as fast as curl. Beyond that, V8 collects the garbage of the whole n8n
each time that 64 MB of pieces have been read, and every stream of n8n pays for that: three quarters
of the processor time of a large upload, on other threads than n8n's own. It shows where the processors
are busy, and less where some are free.

## Binary data in memory (\`N8N_DEFAULT_BINARY_DATA_MODE=default\`)

${memoryTable(inMemory)}

There n8n keeps the whole file as base64 text within the execution's data, in memory and in the
database: that is n8n's own cost, several times the size of the file, and it is paid when the file comes
in, before the node runs. The node decodes piece by piece and adds no second copy, only what waits for the garbage collector.
Executions with more than 100 MB of data are not shown by n8n (\`EXECUTIONS_DATA_MAX_DISPLAY_SIZE\`). For
large files, let n8n store binary data on disk.

Binary data in the database (the default in queue mode) or in a bucket was not measured: n8n hands it to the node as a stream too,
from the bucket piece by piece, from the database after it has read the whole file into memory.
`;
}
