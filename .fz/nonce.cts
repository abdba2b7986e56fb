// credential whose header value is new at each poll (expression); Max Entries per Poll small; late entries dated before the last delivered one. argv: max late mode rotateEach
import { serve, send, trig, Clk, MIN, cred } from './h.cts';
(async () => {
  const [max, late, mode, each, moveOn] = [+process.argv[2], +process.argv[3], process.argv[4] ?? 'default', process.argv[5] !== 'once', process.argv[6] ?? 'handedOver'];
  const clk = new Clk(Date.parse('2026-11-27T05:00:00Z')); const log: any[] = [];
  const add = (id: string, t: number, seen = t) => { log.push({ id, t, seen }); };
  const s = await serve((q, r, u) => { const since = Date.parse(u.searchParams.get('since') ?? '1970-01-01T00:00:00Z'); const lim = +(u.searchParams.get('limit') ?? 100); const tk = +(u.searchParams.get('pageToken') ?? 0);
    const vis = log.filter((e) => e.seen <= clk.t && e.t >= since).sort((a, b) => a.t - b.t); const items = vis.slice(tk, tk + lim); const more = tk + lim < vis.length;
    send(r, { items: items.map((e) => ({ auditlogId: e.id, createdAt: new Date(e.t).toISOString() })), nextPageToken: more ? String(tk + lim) : null }, { date: new Date(clk.t).toUTCString() }); });
  const h = await trig(s.url, { options: { maxEntriesPerPoll: max, moveOn } }, mode, clk, mode === 'durable' ? {} : { pollBudgetMs: 300000 });
  await h.activate(); let k = 0;
  const poll = async () => { clk.t += MIN; if (each) await h.replaceCredential('browserConsoleHeadersApi', cred(s.url, 'nonce-value-' + ++k)); await h.tick().catch((e: any) => console.log('ERR', e.message)); };
  for (let i = 0; i < 3; i++) { add('a' + i, clk.t + 30_000); await poll(); }
  const T = clk.t - 10_000; add('known', T); await poll(); await poll();
  clk.t += 10 * MIN; add('known2', clk.t - 1000); await poll(); console.log('delivered before', h.emittedItems().length);
  if (process.argv[5] === 'once') await h.replaceCredential('browserConsoleHeadersApi', cred(s.url, 'other'));
  for (let i = 0; i < late; i++) add('late' + i, clk.t - MIN - 60_000 - i * 100, clk.t + 1000);
  for (let i = 0; i < 60; i++) { if (i % 5 === 0) add('n' + i, clk.t + 1000); await poll(); }
  const ids = new Set(h.emittedItems().map((e: any) => e.auditlogId)); const miss = log.filter((e) => !ids.has(e.id)).map((e) => e.id);
  console.log('max', max, 'late', late, mode, each ? 'each poll' : 'once', moveOn, ': missing after 60 polls', miss.length, miss.slice(0, 6).join(' '), '| twice', h.emittedItems().length - ids.size, '| errors', h.errors.length);
  await h.close(); s.close(); process.exit(0);
})();
