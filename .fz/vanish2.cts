// the entry at which a poll stopped (Max Entries per Poll) is not listed any more when the next poll goes on. argv: max gapMinutes old mode restart how(deleted|foreign)
import { serve, send, trig, Clk, MIN } from './h.cts';
(async () => {
  const [max, gap, old, mode, restart, how] = [+process.argv[2], +process.argv[3], +process.argv[4], (process.argv[5] ?? 'default') as any, process.argv[6] === 'restart', process.argv[7] ?? 'deleted'];
  const clk = new Clk(Date.parse('2026-11-27T05:00:00Z')); let log: any[] = []; let foreign = false;
  const s = await serve((q, r, u) => { const since = Date.parse(u.searchParams.get('since') ?? '1970-01-01T00:00:00Z'); const lim = +(u.searchParams.get('limit') ?? 100); const tk = +(u.searchParams.get('pageToken') ?? 0);
    const vis = (foreign ? log.filter((e) => e.foreign) : log.filter((e) => !e.foreign)).filter((e) => e.t <= clk.t && e.t >= since).sort((a, b) => a.t - b.t); const items = vis.slice(tk, tk + lim); const more = tk + lim < vis.length;
    send(r, { items: items.map((e) => ({ auditlogId: e.id, createdAt: new Date(e.t).toISOString() })), nextPageToken: more ? String(tk + lim) : null }, { date: new Date(clk.t).toUTCString() }); });
  const h = await trig(s.url, { options: { maxEntriesPerPoll: max } }, mode, clk, mode === 'durable' ? {} : { pollBudgetMs: 300000 });
  const poll = async (n = 1) => { for (let i = 0; i < n; i++) { clk.t += MIN; await h.tick().catch((e: any) => console.log('ERR', e.message)); } };
  await h.activate(); const t0 = clk.t;
  if (process.env.BURST) { for (let i = 0; i < old; i++) log.push({ id: 'old' + i, t: clk.t + 1000 + i }); await poll(Math.ceil(old / max) + 1); } else for (let i = 0; i < old; i++) { log.push({ id: 'old' + i, t: clk.t + 1000 }); await poll(); }
  await poll(3); console.log('delivered', h.emittedItems().length, 'of', old);
  // n8n is down; meanwhile entries: a burst of max+? at once, then one after a gap
  const down = clk.t; clk.t += (gap + 30) * MIN; const a = down + 10 * MIN;
  if (how !== 'foreign') { for (let i = 0; i < max; i++) log.push({ id: 'burst' + i, t: a + i }); log.push({ id: 'next', t: a + gap * MIN }); log.push({ id: 'next2', t: a + gap * MIN + 1000 }); }
  else { for (let i = 0; i < max + 1; i++) log.push({ id: 'foreign' + i, t: a + i * 1000, foreign: true }); log.push({ id: 'next', t: a + gap * MIN }); log.push({ id: 'next2', t: a + gap * MIN + 1000 }); foreign = true; }
  await poll(); foreign = false; console.log('after the first poll', h.emittedItems().slice(old).map((e: any) => e.auditlogId).join(' ').slice(0, 200), JSON.stringify({ ...(h.persistedState() as any)?.pollState, seen: undefined, credential: undefined, scope: undefined, delivery: undefined }));
  if (how === 'deleted') log = log.filter((e) => e.id !== 'burst' + (max - 1)); if (how === 'moved') log.find((e) => e.id === 'burst' + (max - 1)).t -= +(process.env.BY ?? 1000);
  if (restart) await (h as any).restart();
  for (let i = 0; i < 40; i++) { if (i % 10 === 0) log.push({ id: 'new' + i, t: clk.t + 1000 }); await poll(); }
  await poll(60); const ids = h.emittedItems().map((e: any) => e.auditlogId); const c: any = {}; for (const i of ids) c[i] = (c[i] ?? 0) + 1; const miss = log.filter((e) => !e.foreign && !c[e.id]).map((e) => e.id);
  console.log('max', max, 'gap', gap, 'old', old, mode, how, ': missing', miss.join(' ').slice(0, 120), '| delivered more than once', Object.entries(c).filter(([, k]: any) => k > 1).map(([i, k]) => i + ' x' + k).join(' ').slice(0, 300), '| state', JSON.stringify({ ...(h.persistedState() as any)?.pollState, seen: undefined, credential: undefined, scope: undefined, delivery: undefined }), 'last', decodeURIComponent(s.calls.at(-1)!.split('?')[1]));
  await h.close(); s.close(); process.exit(0);
})();
