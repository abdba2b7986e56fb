// rotations (also twice in a row, also back), small Max Entries, late bursts, odd page sizes, outages, failing executions, restarts. argv: from to
import { serve, send, trig, Clk, MIN, rng, cred } from './h.cts';
(async () => {
  let bad = 0, runs = 0; const a = +process.argv[2], b = +process.argv[3];
  for (let seed = a; seed <= b; seed++) {
    const R = rng(seed * 104729); const mode: any = R.pick('default', 'durable'); const kind = R.pick('token', 'token', 'empty', 'refuse'); const step = R.pick(1, 1, 1000); const lat = R.pick(5, 100);
    const max = R.pick(1, 3, 7, 20, 60); const opt: any = { maxEntriesPerPoll: max }; if (R.chance(0.3)) opt.pageSize = R.pick(2, 5, 30, 150); if (R.chance(0.3)) opt.lookbackMinutes = R.pick(0.5, 2, 20); const failing = R.chance(0.4); if (failing || R.chance(0.3)) opt.moveOn = R.pick('succeeded', 'finished'); if (R.chance(0.3)) opt.includeEventKey = true;
    const noId = R.chance(0.15) && step === 1; const startFrom = R.pick('now', 'oldest', 'now');
    const rate = R.pick(0.2, 1, Math.min(8, max / 2)); const clk = new Clk(Date.parse('2026-11-27T05:00:00Z')); const log: any[] = []; let n = 0; let nextAt = clk.t - 30 * MIN; let ended = false; const lookMs = (opt.lookbackMinutes ?? 5) * MIN;
    const push = (t: number, seen: number) => log.push({ id: ++n, t, shown: Math.floor(t / step) * step, seen });
    const grow = () => { while (!ended && nextAt <= clk.t) { if (R.chance(0.02)) { const k = R.int(2, 60), lateBy = Math.floor(R() * (lookMs - 3000)); for (let i = 0; i < k; i++) push(nextAt - Math.floor(lateBy * R()), nextAt); } else { const k = R.chance(0.03) ? R.int(5, 80) : 1; for (let i = 0; i < k; i++) push(nextAt, nextAt); } nextAt += (60000 / rate) * 2 * R(); } };
    grow(); const start = clk.t; const ev: string[] = []; let down = 0;
    const s = await serve((q, r, u) => { grow(); const asked = clk.t; clk.t += lat; const hd = { date: new Date(asked).toUTCString() }; if (down > 0) { if (R.chance(0.5)) { down--; return send(r, { error: 'no' }, hd, R.pick(500, 403, 404)); } }
      const since = Date.parse(u.searchParams.get('since') ?? '1970-01-01T00:00:00Z'); const want = +(u.searchParams.get('limit') ?? 100); if (kind === 'refuse' && want > 40) return send(r, { error: 'limit too large' }, hd, 400);
      const tk = u.searchParams.get('pageToken'); const vis = log.filter((e) => e.seen <= asked && e.shown >= Math.floor(since / step) * step).sort((x, y) => x.shown - y.shown || x.id - y.id); const key = (e: any) => `${e.shown}_${e.id}`; let from = 0; if (tk) { const [ts, i] = tk.split('_').map(Number); from = vis.findIndex((e) => e.shown > ts || (e.shown === ts && e.id > i)); if (from < 0) from = vis.length; }
      const items = vis.slice(from, from + want); const more = from + want < vis.length || (kind === 'empty' && items.length > 0);
      send(r, { items: items.map((e) => noId ? { createdAt: new Date(e.shown).toISOString(), n: e.id } : { auditlogId: 'e' + e.id, n: e.id, createdAt: new Date(e.shown).toISOString() }), nextPageToken: more ? key(items.at(-1)) : null }, hd); });
    const h = await trig(s.url, { startFrom, options: opt }, mode, clk, mode === 'durable' ? {} : { pollBudgetMs: 300000 }); let fails = 0; if (failing) h.workflow = () => (R.chance(0.15) ? (fails++, opt.moveOn === 'succeeded' ? 'error' : 'success') : 'success') as any;
    await h.activate().catch(() => 0); let k = 0; let disturbed = failing;
    for (let i = 0; i < 150; i++) { clk.t += MIN; if (R.chance(0.02)) { const g = R.int(5, 40); clk.t += g * MIN; } if (R.chance(0.03)) { await (h as any).restart(); } if (R.chance(0.06)) { k = R.chance(0.3) && k > 0 ? k - 1 : k + 1; ev.push('rot' + k + '@' + ((clk.t - start) / MIN).toFixed(1)); await h.replaceCredential('browserConsoleHeadersApi', cred(s.url, 'sekret-value-' + k)); } if (R.chance(0.02)) down = R.int(1, 6); await h.tick().catch(() => 0); }
    ended = true; down = 0; let quiet = 0; let lastN = -1; for (let i = 0; i < 3000 && quiet < 75; i++) { clk.t += MIN; await h.tick().catch(() => 0); const c = h.emittedItems().length; quiet = c === lastN ? quiet + 1 : 0; lastN = c; }
    const ids = h.emittedItems().map((e: any) => e.n); const set = new Set(ids); const due = log.filter((e) => startFrom === 'oldest' || e.t >= start); const miss = due.filter((e) => !set.has(e.id)); runs++; const twice = ids.length - set.size;
    if (miss.length || (twice && !disturbed)) { bad++; console.log('seed', seed, mode, kind, 'step', step, 'lat', lat, 'rate', rate, noId ? 'noId' : '', startFrom, JSON.stringify(opt), 'due', due.length, 'missing', miss.length, 'twice', twice, 'fails', fails, 'errors', h.errors.length, miss.length ? `first ${((miss[0].t - start) / MIN).toFixed(1)} last ${((miss.at(-1).t - start) / MIN).toFixed(1)}` : '', ev.join(' ')); }
    await h.close(); s.close();
  }
  console.log('runs', runs, 'bad', bad); process.exit(0);
})();
