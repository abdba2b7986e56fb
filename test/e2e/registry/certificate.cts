import { createRequire } from 'node:module';
import { join } from 'node:path';

/** In PEM. */
export interface Certificate {
	key: string;
	cert: string;
}

interface SelfSigned {
	generate(
		attributes: Array<{ name: string; value: string }>,
		options: object,
	): { private: string; cert: string };
}

const DNS_NAME = 2;
const IP_ADDRESS = 7;

/** A new certificate for a host and for 127.0.0.1, which only those trust who are told to. */
export function certificateFor(host: string, tools: string): Certificate {
	const selfSigned = createRequire(join(tools, 'package.json'))('selfsigned') as SelfSigned;
	const { private: key, cert } = selfSigned.generate(
		[{ name: 'commonName', value: 'Local registry of a test' }],
		{
			days: 2,
			keySize: 2048,
			algorithm: 'sha256',
			extensions: [
				{ name: 'basicConstraints', cA: true, critical: true },
				{
					name: 'subjectAltName',
					altNames: [
						{ type: DNS_NAME, value: host },
						{ type: IP_ADDRESS, ip: '127.0.0.1' },
					],
				},
			],
		},
	);
	return { key, cert };
}
