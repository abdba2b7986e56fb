/**
 * Writes the rows by which n8n knows an installed community package. It runs in n8n's own Node,
 * which is new enough to have SQLite built in.
 * Arguments: the database file; JSON of
 * `{ packageName, version, author: { name, email }, nodes: [{ name, type, latestVersion }] }`.
 */
import { DatabaseSync } from 'node:sqlite';

/** The form in which n8n stores times; the default of these columns is not an expression. */
const NOW = "STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')";

const [file, rows] = process.argv.slice(2);
const { packageName, version, author, nodes } = JSON.parse(rows);

const database = new DatabaseSync(file, { timeout: 10_000 });
database.exec('BEGIN IMMEDIATE');
database.prepare('DELETE FROM installed_nodes WHERE package = ?').run(packageName);
database.prepare('DELETE FROM installed_packages WHERE packageName = ?').run(packageName);
database
	.prepare(
		`INSERT INTO installed_packages
			(packageName, installedVersion, authorName, authorEmail, createdAt, updatedAt)
			VALUES (?, ?, ?, ?, ${NOW}, ${NOW})`,
	)
	.run(packageName, version, author.name, author.email);
for (const node of nodes) {
	database
		.prepare('INSERT INTO installed_nodes (name, type, latestVersion, package) VALUES (?, ?, ?, ?)')
		.run(node.name, node.type, node.latestVersion, packageName);
}
database.exec('COMMIT');
database.close();
