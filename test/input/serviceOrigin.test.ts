import { serviceOrigin } from '../../input/serviceOrigin';

const origin = (text: string) => serviceOrigin(text, 'Base URL', '/api/v1');

describe('serviceOrigin', () => {
	it.each([
		['https://api.example.com', 'https://api.example.com'],
		['  https://api.example.com \n', 'https://api.example.com'],
		['api.example.com', 'https://api.example.com'],
		['HTTPS://API.Example.COM', 'https://api.example.com'],
		['https://api.example.com/', 'https://api.example.com'],
		['https://api.example.com///', 'https://api.example.com'],
		['https://api.example.com/api/', 'https://api.example.com'],
		['https://api.example.com/api/v1/', 'https://api.example.com'],
		['console.example.com/api/v1', 'https://console.example.com'],
		['https://api.example.com:443', 'https://api.example.com'],
		['https://api.example.com:8443', 'https://api.example.com:8443'],
		['localhost:5678', 'https://localhost:5678'],
		['http://localhost:5678', 'http://localhost:5678'],
		['http://127.0.0.1:80', 'http://127.0.0.1'],
		['http://127.1', 'http://127.0.0.1'],
		['http://[::1]:8080', 'http://[::1]:8080'],
		['https://[2001:db8::1]', 'https://[2001:db8::1]'],
		['https://bücher.example', 'https://xn--bcher-kva.example'],
		['https://api.example.com.', 'https://api.example.com.'],
		['https://10.0.0.1', 'https://10.0.0.1'],
	])('takes %j for %s', (text, expected) => {
		expect(origin(text)).toBe(expected);
	});

	it.each([
		['', 'is empty'],
		['   ', 'is empty'],
		['https://', 'is not a web address'],
		['{{ $vars.consoleUrl }}', 'contains a "{" or "}"'],
		['https://{{$json.host}}', 'contains a "{" or "}"'],
		['https://exa mple.com', 'contains a space'],
		['https://example.com\r\nX-Evil: 1', 'contains a space, a line break'],
		['https://example.com\t.evil.com', 'contains a space'],
		['https://example.com\\@evil.com', 'or a backslash'],
		['\\\\evil.com', 'or a backslash'],
		['https://user:pass@example.com', 'contains a user name or password'],
		['user@example.com', 'contains a user name or password'],
		['http://localhost@evil.com', 'contains a user name or password'],
		['http://api.example.com', 'begins with "http://"'],
		['http://localhost.evil.com', 'begins with "http://"'],
		['http://127.0.0.1.evil.com', 'begins with "http://"'],
		['http://console.localhost', 'begins with "http://"'],
		['http://localhost.', 'begins with "http://"'],
		['http://10.0.0.1', 'begins with "http://"'],
		['http://[::ffff:127.0.0.1]', 'begins with "http://"'],
		['ftp://example.com', 'begins with "ftp://"'],
		['file:///etc/passwd', 'begins with "file://"'],
		['javascript://example.com', 'begins with "javascript://"'],
		['https://example.com?x=1', 'contains a "?" or "#"'],
		['https://example.com/?', 'contains a "?" or "#"'],
		['https://example.com#', 'contains a "?" or "#"'],
		['https://example.com/console', 'contains the path "/console"'],
		['https://example.com/api/v2', 'contains the path "/api/v2"'],
		['https://example.com/api/v1/../../x', 'contains the path "/x"'],
		['https:/example.com', 'contains the path "/example.com"'],
		['https://example.com:99999', 'is not a web address'],
		['https://example.com:port', 'is not a web address'],
		['https://[::1', 'is not a web address'],
		['javascript:alert(1)', 'is not a web address'],
		['https://exa<mple.com', 'is not a web address'],
		['[object Object]', 'contains a space'],
	])('refuses %j: %s', (text, what) => {
		expect(() => origin(text)).toThrow(`The 'Base URL' of the credential`);
		expect(() => origin(text)).toThrow(what);
	});

	it('says in every refusal what to enter', () => {
		for (const text of ['', 'a b', 'http://example.com', 'https://example.com/x']) {
			expect(() => origin(text)).toThrow(
				expect.objectContaining({ description: expect.stringMatching(/https:\/\//) }),
			);
		}
	});

	it('does not repeat a password that stands in the address', () => {
		expect(() => origin('https://user:hunter22@example.com')).toThrow(
			expect.objectContaining({ message: expect.not.stringContaining('hunter22') }),
		);
	});
});
