// default settings; one wrong answer (10,001 entries of another log, dated at the beginning of a quiet time), then the console is well. argv: old gapMinutes max mode bad(1|0)
import { serve, send, trig, Clk, MIN } from './h.cts';
(async () => {
  const [old, gap, max, mode, bad] = [+process.argv[2], +process.argv[3], +process.argv[4], (process.argv[5] ?? 'default') as any, process.argv[6] !== '0'];
  const clk = new Clk(Date.parse('2026-11-27T05:00:00Z')); const log: any[] = []; let foreign: any[] | undefined;
  const s = await serve((q, r, u) => { const since = Date.parse(u.searchParams.get('since') ?? '1970-01-01T00:00:00Z'); const lim = +(u.searchParams.get('limit') ?? 100); const tk = u.searchParams.get('pageToken');
    if (foreign) { const f = foreign; foreign = undefined; return send(r, { items: f.map((e) => ({ auditlogId: e.id, createdAt: new Date(e.t).toISOString() })), nextPageToken: null }, { date: new Date(clk.t).toUTCString() }); }
    const vis = log.filter((e) => e.t <= clk.t && e.t >= since); const from = tk ? +tk.slice(1) : 0; const items = vis.slice(from, from + lim); const more = from + lim < vis.length;
    send(r, { items: items.map((e) => ({ auditlogId: e.id, createdAt: new Date(e.t).toISOString() })), nextPageToken: more ? 't' + (from + lim) : null }, { date: new Date(clk.t).toUTCString() }); });
  const h = await trig(s.url, { options: max === 10000 ? {} : { maxEntriesPerPoll: max } }, mode, clk, mode === 'durable' ? {} : { pollBudgetMs: 300000 });
  const poll = async (n = 1) => { for (let i = 0; i < n; i++) { clk.t += MIN; await h.tick().catch((e: any) => console.log('ERR', e.message)); } };
  await h.activate();
  // a busy time, read as it comes
  const steps = 60; for (let k = 0; k < steps; k++) { for (let i = 0; i < old / steps; i++) log.push({ id: `old${k}_${i}`, t: clk.t + 1000 + i * 50 }); await poll(); }
  for (let i = 0; i < 50 && h.emittedItems().length < old; i++) await poll();
  console.log('busy time: delivered', h.emittedItems().length, 'of', old); const quiet = clk.t;
  await poll(gap); log.push({ id: 'next', t: clk.t + 30_000 });
  if (bad) foreign = Array.from({ length: max + 1 }, (_, i) => ({ id: 'foreign' + i, t: quiet + i }));
  await poll(); const n0 = h.emittedItems().length; let big = 0; for (let i = 0; i < 20; i++) { const b = h.emittedItems().length; if (i % 5 === 0) log.push({ id: 'new' + i, t: clk.t + 1000 }); await poll(); if (h.emittedItems().length - b >= max) big++; }
  const ids = h.emittedItems().map((e: any) => e.auditlogId); const c: any = {}; for (const i of ids) c[i] = (c[i] ?? 0) + 1; const miss = log.filter((e) => !c[e.id]).map((e) => e.id); const tw = log.filter((e) => c[e.id] > 1);
  console.log('old', old, 'gap', gap, 'max', max, mode, bad ? 'one bad answer' : 'control', '| 20 polls later: missing', miss.join(' ').slice(0, 100), '| entries more than once', tw.length, 'up to x' + Math.max(...Object.values(c) as number[]), '| full batches after', big, 'items after', h.emittedItems().length - n0, '| errors', h.errors.length, JSON.stringify({ ...(h.persistedState() as any)?.pollState, seen: undefined, credential: undefined, scope: undefined, delivery: undefined }));
  await h.close(); s.close(); process.exit(0);
})();
