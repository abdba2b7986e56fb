import { createHash } from 'node:crypto';

const CHUNK = 64 * 1024;

/** The content of a file, made as it is read: as large as it must be, and no two chunks alike. */
export function patternFile(size: number, breaksAt = Infinity) {
	const times = { opened: 0, closed: 0 };
	function* chunks(): Generator<Uint8Array> {
		for (let at = 0; at < size; at += CHUNK) {
			const chunk = Buffer.alloc(Math.min(CHUNK, size - at), at / CHUNK + 1);
			chunk.writeUInt32BE(at % 2 ** 32, 0);
			yield chunk;
		}
	}
	async function* content(): AsyncGenerator<Uint8Array> {
		times.opened += 1;
		try {
			let sent = 0;
			for (const chunk of chunks()) {
				sent += chunk.length;
				if (sent > breaksAt) throw Object.assign(new Error('EIO'), { code: 'EIO' });
				yield chunk;
			}
		} finally {
			times.closed += 1;
		}
	}
	return {
		times,
		open: async () => await Promise.resolve(content()),
		/** SHA-256 of the whole content. */
		digest(): string {
			const hash = createHash('sha256');
			for (const chunk of chunks()) hash.update(chunk);
			return hash.digest('hex');
		},
	};
}
