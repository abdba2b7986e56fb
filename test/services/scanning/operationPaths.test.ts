import fc from 'fast-check';
import {
	deployedOperation,
	normalisePath,
	operationSettings,
} from '../../../services/scanning/operationPaths';
import type { OperationKey } from '../../../services/scanning/operationTable';
import { operationTable } from '../../../services/scanning/operationTable';
import { propertyRuns } from '../../support/propertyRuns.cts';

const everyKey = Object.keys(operationTable) as OperationKey[];

const described = {
	changeVerdict: 'scans/{scanId}/verdict',
	changeVerdictMethod: 'put',
	changeVerdictBody: '{"verdict": "{verdict}"}',
};

describe('the operation table', () => {
	it.each([
		['scanFile', 'POST', '/api/v1/files/'],
		['scanUrl', 'POST', '/api/v1/urls/'],
		['getScan', 'GET', '/api/v1/scans/list/{scanId}/'],
		['listScans', 'GET', '/api/v1/scans/list/'],
		['releaseEmail', 'GET', '/api/v1/quarantine/release/{scanId}/'],
	] as const)('%s is %s %s', (key, method, path) => {
		expect(deployedOperation(key, {})).toMatchObject({ method, path });
	});

	it('repeats only what reads', () => {
		const repeated = Object.entries(operationTable).filter(([, { idempotent }]) => idempotent);
		expect(repeated.map(([key]) => key)).toStrictEqual(['getScan', 'listScans']);
	});

	it('has no default for what nobody publishes', () => {
		const without = (part: 'method' | 'path') =>
			everyKey.filter((key) => operationTable[key][part] === undefined);
		expect(without('method')).toStrictEqual(['changeVerdict', 'requestInvestigation']);
		expect(without('path')).toStrictEqual(without('method'));
	});
});

describe('an unpublished operation', () => {
	it.each([
		['changeVerdict', 'Change Verdict'],
		['requestInvestigation', 'Request Investigation'],
	] as const)('%s names every field of the credential that is missing', (key, label) => {
		const error = thrown(() => deployedOperation(key, {}));
		expect(error.message).toContain('does not say how to call');
		expect(error.description).toContain(
			`'${label}' (${key}), '${label}: Method' (${key}Method), '${label}: Body' (${key}Body).`,
		);
	});

	it('names only what is missing', () => {
		const { changeVerdict, changeVerdictMethod } = described;
		const settings = { changeVerdict, changeVerdictMethod };
		const error = thrown(() => deployedOperation('changeVerdict', settings));
		expect(error.description).toMatch(
			/'Operation Paths': 'Change Verdict: Body' \(changeVerdictBody\)\. Ask/,
		);
	});

	it('runs as the credential describes it', () => {
		expect(deployedOperation('changeVerdict', described)).toMatchObject({
			method: 'PUT',
			path: '/api/v1/scans/{scanId}/verdict/',
			template: {
				text: described.changeVerdictBody,
				field: "'Change Verdict: Body' (changeVerdictBody)",
			},
			idempotent: false,
		});
	});

	it.each(['GET', 'DELETE'])('needs and sends no body with %s', (requestInvestigationMethod) => {
		const settings = { requestInvestigation: 'ask/{scanId}', requestInvestigationMethod };
		expect(deployedOperation('requestInvestigation', settings).template).toBeUndefined();
	});

	it.each([{ changeVerdictMethod: 'GET' }, { changeVerdictBody: '{"verdict": "CLN"}' }])(
		'is refused where the chosen verdict would not travel: %j',
		(changed) => {
			const error = thrown(() => deployedOperation('changeVerdict', { ...described, ...changed }));
			expect(error.message).toContain('does not say where the verdict goes');
			expect(error.description).toContain("into 'Change Verdict: Body' (changeVerdictBody)");
		},
	);

	it('may carry the id in its body instead of its path', () => {
		const settings = {
			...described,
			changeVerdict: 'verdicts/',
			changeVerdictBody: '{"scan": {scanId}, "as": "{verdictWord}"}',
		};
		expect(deployedOperation('changeVerdict', settings).path).toBe('/api/v1/verdicts/');
		const nowhere = { ...settings, changeVerdictBody: '{"as": "{verdict}"}' };
		expect(() => deployedOperation('changeVerdict', nowhere)).toThrow(
			'where the ID of the scan goes',
		);
	});

	it('refuses a method that does not exist', () => {
		const settings = { ...described, changeVerdictMethod: 'SEND' };
		expect(() => deployedOperation('changeVerdict', settings)).toThrow('(changeVerdictMethod)');
	});
});

describe('a path of the credential', () => {
	it.each(['uploads', 'uploads/', '/uploads/', '/api/v1/uploads', 'api/v1/uploads/'])(
		'%s goes below /api/v1/ and ends with a slash',
		(typed) => {
			expect(normalisePath('scanFile', typed)).toBe('/api/v1/uploads/');
		},
	);

	it.each([
		'https://evil.example/x',
		'javascript:alert(1)',
		'//evil.example/x',
		'///evil.example/x',
		'/api/v1//evil.example/x',
		'localhost:8080/x',
		'10.0.0.1:80/x',
		'x?limit=1',
		'x#y',
		'x?',
		'../admin',
		'x/../../admin',
		'x/../y',
		'./x',
		'x/..',
		'x\\y',
		'x y',
		'x ',
		'x\ny',
		'x\ty',
		'ü/',
		'',
		'/',
		'/api/v1/',
		'/api/v1',
	])('%j is refused', (typed) => {
		expect(() => normalisePath('scanFile', typed)).toThrow('is not a path below /api/v1/');
	});

	it.each(['x/%2e%2e/admin', 'x/%2E/admin', '..%2f..%2fadmin', 'x/..;/admin', 'my%20scans/'])(
		'takes nothing that others may read in another way: %s',
		(typed) => {
			expect(() => normalisePath('scanFile', typed)).toThrow('holds % or ;');
		},
	);

	it.each(['x/{id}/', 'scans/{ScanId}/', 'scans/{scanId}/{verdict}/', 'scans/{'])(
		'takes no other placeholder: %s',
		(typed) => {
			expect(() => normalisePath('changeVerdict', typed)).toThrow('a placeholder other than');
		},
	);

	it('takes no {scanId} where there is none yet', () => {
		expect(() => normalisePath('scanFile', 'x/{scanId}/')).toThrow('but there is none yet');
	});

	it('leads below /api/v1/ at the same host, whatever is typed', () => {
		fc.assert(
			fc.property(
				fc.oneof(
					fc.webPath(),
					fc.string({ unit: fc.constantFrom(...'/.%2eEfF\\:?#@ax{}\n ') }),
					fc.string(),
				),
				(typed) => {
					let path: string;
					try {
						path = normalisePath('scanFile', typed);
					} catch {
						return;
					}
					const url = new URL(`https://host.example${path}`);
					expect(url.origin).toBe('https://host.example');
					expect(url.href).toBe(`https://host.example${path}`);
					expect(path.startsWith('/api/v1/') && path.length > 8).toBe(true);
				},
			),
			propertyRuns(2000),
		);
	});

	it('names the field it came from', () => {
		expect(() => normalisePath('listScans', 'a?b')).toThrow(
			"The path 'List Scans' (listScans) of the credential",
		);
	});

	it('must say where the id goes', () => {
		expect(() => deployedOperation('releaseEmail', { releaseEmail: 'release/' })).toThrow(
			'where the ID of the scan goes',
		);
	});

	it('replaces the published one, and so does a method for the release', () => {
		const settings = { releaseEmail: 'mail/{scanId}/release', releaseEmailMethod: 'POST' };
		expect(deployedOperation('releaseEmail', settings)).toMatchObject({
			method: 'POST',
			path: '/api/v1/mail/{scanId}/release/',
		});
	});
});

describe('the settings of the credential', () => {
	it.each([
		['the collection itself', { scanFile: 'up/' }],
		['values', { values: { scanFile: 'up/' } }],
		['a list of values', { values: [{ scanFile: 'up/' }] }],
		['values before the collection', { scanFile: 'other/', values: { scanFile: ' up/ ' } }],
	])('are read from %s', (_, operationPaths) => {
		expect(operationSettings({ operationPaths } as never)).toStrictEqual({ scanFile: 'up/' });
	});

	it.each([undefined, null, '', [], {}, { values: null }, { scanFile: ' ' }, { scanFile: null }])(
		'are empty for %p',
		(operationPaths) => {
			expect(operationSettings({ operationPaths } as never)).toStrictEqual({});
		},
	);

	it('take a template that n8n handed over as an object', () => {
		const operationPaths = { changeVerdictBody: { verdict: '{verdict}' } };
		expect(operationSettings({ operationPaths } as never)).toStrictEqual({
			changeVerdictBody: '{"verdict":"{verdict}"}',
		});
	});
});

function thrown(act: () => unknown): Error & { description?: string | null } {
	try {
		act();
	} catch (error) {
		return error as Error;
	}
	throw new Error('Nothing was thrown');
}

describe('every operation', () => {
	it.each(everyKey)('%s can be moved by the credential', (key) => {
		const id = operationTable[key].takesScanId ? '{scanId}/' : '';
		const settings = {
			[key]: `moved/${id}`,
			[`${key}Method`]: 'POST',
			[`${key}Body`]: '{"as": "{verdict}"}',
		};
		expect(deployedOperation(key, settings).path).toBe(`/api/v1/moved/${id}`);
	});
});
