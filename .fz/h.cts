import http from 'node:http';
import { createPollHarness } from '/work/main/test/support/engine/pollHarness.cts';
import { runNode } from '/work/main/test/support/engine/runWorkflow.cts';
export { runNode };
export const MIN = 60_000;
export class Clk { constructor(public t: number) {} now() { return this.t; } }
export function rng(seed: number) { let s = (seed * 2654435761) >>> 0 || 7; const f = () => { s ^= s << 13; s >>>= 0; s ^= s >>> 17; s ^= s << 5; s >>>= 0; return s / 4294967296; }; return Object.assign(f, { int: (a: number, b: number) => a + Math.floor(f() * (b - a + 1)), pick: <T>(...x: T[]) => x[Math.floor(f() * x.length)], chance: (p: number) => f() < p }); }
export async function serve(fn: (q: http.IncomingMessage, r: http.ServerResponse, u: URL) => void) {
  const calls: string[] = [];
  const s = http.createServer((q, r) => { calls.push(q.url!); fn(q, r, new URL(q.url!, 'http://x')); });
  await new Promise<void>((ok) => s.listen(0, '127.0.0.1', ok));
  return { url: `http://127.0.0.1:${(s.address() as any).port}`, calls, close: () => { s.closeAllConnections(); s.close(); } };
}
export function send(r: http.ServerResponse, body: unknown, headers: Record<string, string> = {}, status = 200) { r.writeHead(status, { 'content-type': 'application/json', ...headers }); r.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)); }
export const cred = (url: string, value = 'sekret-value-0001', name = 'X-Api-Key') => ({ consoleUrl: url, headers: { values: [{ name, value }] } });
export const trig = async (url: string, parameters: any, mode: any, clock: any, more: any = {}) => await createPollHarness({ node: { type: 'consoleAuditLogTrigger', parameters }, credentials: { browserConsoleHeadersApi: cred(url) }, mode, clock, ...more } as any);
