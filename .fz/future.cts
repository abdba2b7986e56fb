// Start Date in the future; console: ok | refuse (400 for a since to come) | empty404 | ignores (lists all when since is ahead); Date header skew; rotation, restart
import { serve, send, trig, Clk, MIN, rng, cred } from './h.cts';
(async () => {
  let bad = 0, runs = 0;
  for (let seed = +process.argv[2]; seed <= +process.argv[3]; seed++) {
    const R = rng(seed * 32452843); const kind = R.pick('ok', 'refuse', 'refuse422'); const skew = R.pick(0, 0, -90_000, 90_000, null as any); const mode: any = R.pick('default', 'durable'); const rate = R.pick(0.3, 3, 30); const opt: any = {}; if (R.chance(0.3)) opt.moveOn = R.pick('succeeded', 'finished'); if (R.chance(0.3)) opt.maxEntriesPerPoll = R.pick(1, 20, 100) ; if (opt.maxEntriesPerPoll === 1 && rate > 0.5) delete opt.maxEntriesPerPoll; if (opt.maxEntriesPerPoll && opt.maxEntriesPerPoll < rate * 2) delete opt.maxEntriesPerPoll;
    const clk = new Clk(Date.parse('2026-11-27T05:00:20Z')); const log: any[] = []; let n = 0; let nextAt = clk.t - 30 * MIN; let ended = false;
    const grow = () => { while (!ended && nextAt <= clk.t) { log.push({ id: ++n, t: nextAt, seen: nextAt + (R.chance(0.05) ? R.int(0, 200) * 1000 : 0) }); nextAt += (60000 / rate) * 2 * R(); } };
    const startDate = clk.t + R.int(1, 40) * MIN + R.int(0, 59999);
    const s = await serve((q, r, u) => { grow(); const hd: any = {}; if (skew === null) r.sendDate = false; else hd.date = new Date(clk.t + skew).toUTCString(); const since = Date.parse(u.searchParams.get('since') ?? '1970-01-01T00:00:00Z'); if (kind !== 'ok' && since > clk.t + (skew ?? 0)) return send(r, { error: 'since lies in the future' }, hd, kind === 'refuse' ? 400 : 422);
      const want = +(u.searchParams.get('limit') ?? 100); const tk = u.searchParams.get('pageToken'); const vis = log.filter((e) => e.seen <= clk.t && e.t >= since).sort((x, y) => x.t - y.t); const from = tk ? vis.findIndex((e) => e.t > +tk.split('_')[0]) : 0; const items = from < 0 ? [] : vis.slice(from, from + want); const more = from >= 0 && from + want < vis.length;
      send(r, { items: items.map((e) => ({ auditlogId: 'e' + e.id, n: e.id, createdAt: new Date(e.t).toISOString() })), nextPageToken: more ? items.at(-1).t + '_' : null }, hd); });
    const h = await trig(s.url, { startFrom: 'date', startDate: new Date(startDate).toISOString(), options: opt }, mode, clk, mode === 'durable' ? {} : { pollBudgetMs: 300000 }); let actErr = ''; await h.activate().catch((e: any) => (actErr = e.message)); let k = 0;
    for (let i = 0; i < 90; i++) { clk.t += MIN; if (R.chance(0.04)) await (h as any).restart().catch(() => 0); if (R.chance(0.02)) await h.replaceCredential('browserConsoleHeadersApi', cred(s.url, 'sekret-value-' + ++k)); await h.tick().catch(() => 0); }
    ended = true; for (let i = 0; i < 70; i++) { clk.t += MIN; await h.tick().catch(() => 0); }
    const ids = h.emittedItems().map((e: any) => e.n); const set = new Set(ids); const due = log.filter((e) => e.t >= startDate); const miss = due.filter((e) => !set.has(e.id)); const early = log.filter((e) => e.t < startDate - 1000 && set.has(e.id)); runs++; const twice = ids.length - set.size;
    if (miss.length || twice || early.length) { bad++; console.log('seed', seed, kind, 'skew', skew, mode, 'rate', rate, JSON.stringify(opt), 'start in', ((startDate - Date.parse('2026-11-27T05:00:20Z')) / MIN).toFixed(1), 'due', due.length, 'missing', miss.length, 'twice', twice, 'early', early.length, 'rot', k, 'errors', h.errors.length, (h.errors.at(-1) as any)?.message ?? '', actErr); }
    await h.close(); s.close();
  }
  console.log('runs', runs, 'bad', bad); process.exit(0);
})();
