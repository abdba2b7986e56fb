/**
 * Prints the execution rows of a workflow as JSON, whatever n8n itself would show of them. It runs in
 * n8n's own Node, which is new enough to have SQLite built in; n8n may be running or dead.
 * Arguments: the database file; the workflow's id; `data` to have what the executions hold as well.
 */
import { DatabaseSync } from 'node:sqlite';

const [file, workflowId, withData] = process.argv.slice(2);
const database = new DatabaseSync(file, { timeout: 10_000 });
const rows = database
	.prepare(
		`SELECT row.id, row.status, row.createdAt, ${withData === 'data' ? 'content.data' : 'NULL'} AS data
			FROM execution_entity AS row
			LEFT JOIN execution_data AS content ON content.executionId = row.id
			WHERE row.workflowId = ?
			ORDER BY row.id`,
	)
	.all(workflowId);
database.close();
process.stdout.write(JSON.stringify(rows));
