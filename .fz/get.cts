import { serve, send, runNode, cred } from './h.cts';
(async () => {
  let path = ''; const s = await serve((q, r, u) => { path = q.url!; const id = decodeURIComponent(q.url!.split('/').pop()!); send(r, { auditlogId: id, ok: 1 }); });
  for (const id of ['.', '..', '../..', 'a/b', 'a%2Fb', '%2e%2e', '?x=1', '#f', '\\', 'ü', '\ud800', 'a\nb', ' a ', 'x'.repeat(70000), 7, 0, true, null, { a: 1 }, ['q'], '1e3', '\u202e', '%', ';a', 'a;b=c', ':', '@', '//evil.com', 'http://evil.com/']) {
    path = ''; const x: any = await runNode({ node: { type: 'consoleAuditLog', parameters: { operation: 'get', auditlogId: id } }, credentials: { browserConsoleHeadersApi: cred(s.url) } } as any).catch((e: any) => ({ thrown: e.message }));
    const out = x?.items ?? x?.output ?? x; console.log(JSON.stringify(id).slice(0, 40), '->', path.slice(0, 90), '|', JSON.stringify(out?.thrown ?? out?.error?.message ?? out).slice(0, 140));
  }
  s.close(); process.exit(0);
})();
