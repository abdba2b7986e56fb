// console that writes local time without a zone (ahead minutes) AND cuts pages at its maximum without naming a next page; argv: ahead cap rate minutes kind(nulls|token)
import { serve, send, trig, Clk, MIN, rng } from './h_old.cts';
(async () => {
  const [ahead, cap, rate, minutes, kind, lib] = [+process.argv[2], +process.argv[3], +process.argv[4], +process.argv[5], process.argv[6] ?? 'nulls', process.argv[7]];
  const clk = new Clk(Date.parse('2026-11-27T05:00:00Z')); const log: any[] = []; let n = 0; let nextAt = clk.t - 20 * MIN;
  const grow = () => { while (nextAt <= clk.t) { log.push({ id: ++n, t: nextAt }); nextAt += 60000 / rate; } };
  grow(); const start = clk.t; const lims: any = {};
  const s = await serve((q, r, u) => { grow(); const asked = clk.t; clk.t += 100; const since = Date.parse(u.searchParams.get('since') ?? '1970-01-01T00:00:00Z'); const want = +(u.searchParams.get('limit') ?? 100); lims[want] = (lims[want] ?? 0) + 1; const lim = Math.min(cap, want); const tk = u.searchParams.get('pageToken');
    let lo = 0, hi = log.length; while (lo < hi) { const m = (lo + hi) >> 1; if (log[m].t < since) lo = m + 1; else hi = m; } const a = tk ? +tk : lo; let b = a; while (b < log.length && b < a + lim) b++;
    const items = log.slice(a, b); const more = b < log.length && (kind === 'token' || items.length === want);
    send(r, { items: items.map((e) => ({ auditlogId: 'e' + e.id, createdAt: new Date(e.t + ahead * MIN).toISOString().replace('Z', '') })), nextPageToken: more ? String(b) : null }, { date: new Date(asked).toUTCString() }); });
  const h = await trig(s.url, { options: {} }, 'default', clk, { pollBudgetMs: 300000 });
  await h.activate(); let worst = 0; const rows: string[] = [];
  for (let i = 1; i <= minutes; i++) { clk.t += MIN; await h.tick().catch(() => 0); const got = h.emittedItems().map((e: any) => +String(e.auditlogId).slice(1)); const max = got.length ? Math.max(...got.slice(-300)) : 0; const behind = (clk.t - (log[max - 1]?.t ?? start)) / MIN; worst = Math.max(worst, behind); if (i % Math.ceil(minutes / 6) === 0) rows.push(`${i}min:${behind.toFixed(1)}`); }
  const ids = h.emittedItems().map((e: any) => e.auditlogId); const set = new Set(ids); const last = Math.max(...ids.map((x: string) => +x.slice(1))); const due = log.filter((e) => e.t >= start && e.id <= last); 
  console.log('ahead', ahead, 'cap', cap, 'rate', rate, kind, 'behind', rows.join(' '), 'missing(before last)', due.filter((e) => !set.has('e' + e.id)).length, 'twice', ids.length - set.size, 'calls', JSON.stringify(lims), 'errors', h.errors.length, h.errors[0]?.message ?? '');
  await h.close(); s.close(); process.exit(0);
})();
