/**
 * Writes every row of every table of a SQLite database as a line of text: the table's name, a tab, and
 * the row as JSON. It runs in n8n's own Node, which is new enough to have SQLite built in.
 * Arguments: the database file; the file to write.
 */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';

/** Bytes as characters, so that text in them is found. */
const asText = (_key, value) =>
	value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;

const [file, target] = process.argv.slice(2);
const database = new DatabaseSync(file, { timeout: 10_000 });
const out = createWriteStream(target);
const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
for (const { name } of tables) {
	const rows = database.prepare(`SELECT * FROM "${name}"`);
	rows.setReadBigInts(true);
	for (const row of rows.iterate()) {
		const line = JSON.stringify(row, (key, value) =>
			typeof value === 'bigint' ? String(value) : asText(key, value),
		);
		if (!out.write(`${name}\t${line}\n`)) await once(out, 'drain');
	}
}
database.close();
out.end();
await once(out, 'close');
