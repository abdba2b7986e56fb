/**
 * The floors of the house, every arrow down: nodes and credentials → services → input → transport.
 * `npm test` fails where an import runs up. ARCHITECTURE.md says what each folder is for.
 */
const floor = (name, from, to, comment) => ({
	name,
	comment,
	severity: 'error',
	from: { path: from },
	to: {
		path: '^(nodes|credentials|services|input|transport|sandbox|test|bench|scripts)/',
		pathNot: to,
	},
});

/** The forms of the nodes. */
const FIELDS =
	'nodes/(ContentScan/(actions/fields/|trigger/feedFields)|ConsoleAuditLog/.*Fields\\.ts$|common/polling/.*Field\\.ts$)';

module.exports = {
	forbidden: [
		floor(
			'transport-stands-alone',
			'^transport/',
			'^transport/',
			'It knows no service, no operation and no form.',
		),
		floor(
			'input-knows-no-service',
			'^input/',
			'^(input|transport)/',
			'What users typed means the same everywhere.',
		),
		floor(
			'scanning-looks-down',
			'^services/scanning/',
			'^(services/(scanning/|[^/]+$)|input/|transport/)',
			'A service knows no node and no other service.',
		),
		floor(
			'console-looks-down',
			'^services/console/',
			'^(services/(console/|[^/]+$)|input/|transport/)',
			'A service knows no node and no other service.',
		),
		floor(
			'credentials-know-no-node',
			'^credentials/',
			'^(credentials|services|input|transport)/',
			'They share what a service is, not what a node does with it.',
		),
		floor(
			'scan-nodes-apart',
			'^nodes/ContentScan/',
			'^(nodes/(ContentScan|common)/|services/(scanning/|[^/]+$)|input/|transport/)',
			'The two nodes meet in nodes/common only.',
		),
		floor(
			'console-nodes-apart',
			'^nodes/ConsoleAuditLog/',
			'^(nodes/(ConsoleAuditLog|common)/|services/(console/|[^/]+$)|input/|transport/)',
			'The two nodes meet in nodes/common only.',
		),
		floor(
			'common-knows-no-node',
			'^nodes/common/',
			'^(nodes/common|input|transport)/',
			'What both nodes use knows neither.',
		),
		floor(
			'waiting-knows-no-operation',
			'^nodes/ContentScan/verdict/',
			'^(nodes/ContentScan/verdict/|services/(scanning/|[^/]+$)|input/|transport/)',
			'Operations wait for verdicts; what waits for them knows no operation.',
		),
		{
			name: 'reading-is-pure',
			comment: 'What is new, and the state that follows: no n8n, no HTTP, no clock.',
			severity: 'error',
			from: { path: '^nodes/(ConsoleAuditLog|ContentScan/trigger)/reading/' },
			to: {
				pathNot:
					'^(nodes/(ConsoleAuditLog|ContentScan/trigger)/reading/|services/(digestOf|serverTime|console/auditLog(Entry|Page)|scanning/(scanRecord|verdict))\\.ts$|nodes/common/polling/(credentialMark|largestBatch)\\.ts$|input/parsedTime\\.ts$|transport/isRecord\\.ts$|crypto$|node:crypto$)',
			},
		},
		{
			name: 'fields-only-describe',
			comment: 'n8n loads them at its start, and nothing that runs with them.',
			severity: 'error',
			from: { path: `^${FIELDS}` },
			to: {
				path: '^(nodes|credentials|services|input|transport)/',
				pathNot: `^(${FIELDS}|nodes/(common/queueTime|ConsoleAuditLog/reading/pageSize)\\.ts$|services/(scanning/verdict|console/auditLogEntry)\\.ts$)`,
			},
		},
		{
			name: 'queue-sends-nothing',
			comment: 'It says when a call may go, and knows neither requests nor n8n.',
			severity: 'error',
			from: { path: '^transport/queue/' },
			to: { pathNot: '^transport/(queue/|clock\\.ts$)' },
		},
		{
			name: 'no-circle',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'no-file-without-a-use',
			severity: 'error',
			from: { path: '\\.(node|credentials)\\.ts$' },
			to: {
				path: '^(nodes|credentials|services|input|transport)/.*\\.ts$',
				pathNot: '\\.(node|credentials)\\.ts$',
				reachable: false,
			},
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
	},
};
