import { readFileSync, writeFileSync } from 'node:fs';
import { BURST_SCENARIOS, type Burst, simulateBurst } from './burst.ts';
import { TIMINGS } from './capacity.ts';
import { DEMANDS, type Demand, leadsPerSecond, nearestOf, share, usesOf } from './steady-load.ts';

type Row = readonly (string | number)[];

/** The tables of docs/scale.md, by the names that it marks their places with. */
export function scaleTables(): Readonly<Record<string, string>> {
  return { nearest: nearestTable(), uses: usesTable(), quotas: quotasTable(), bursts: burstsTable() };
}

function nearestTable(): string {
  const rows = DEMANDS.map((demand) => {
    const uses = usesOf(demand, TIMINGS);
    const nearest = [nearestOf(uses, 'before'), nearestOf(uses, 'after')];
    return [
      nameOf(demand),
      rounded(leadsPerSecond(demand)),
      ...nearest.map((use) => `${use.limit}: ${inBold(share(use))}`),
      nearest.flatMap((use) => (share(use) > 1 ? [use.consequence] : [])).join('; ') || 'nothing',
    ];
  });
  return markdown(
    ['workspaces × leads per day', 'leads/s', 'nearest limit before the 202', 'after it', 'effect'],
    rows,
  );
}

function usesTable(): string {
  const columns = DEMANDS.map((demand) => usesOf(demand, TIMINGS));
  const rows = (columns[0] ?? []).map(({ limit, allowed }, row) => [
    limit,
    rounded(allowed),
    ...columns.map((uses) => inBold(uses[row] ? share(uses[row]) : 0)),
  ]);
  return markdown(['limit', 'default', ...DEMANDS.map(nameOf)], rows);
}

/** Twice what is needed, because traffic is uneven within a second. */
const HEADROOM = 2;

function quotasTable(): string {
  const asked = DEMANDS.map((demand) => ({
    name: nameOf(demand),
    wanted: usesOf(demand, TIMINGS).map(({ allowed, needed }) =>
      HEADROOM * needed > allowed ? HEADROOM * needed : undefined,
    ),
    lasting: usesOf(demand, TIMINGS).map(({ temporary }) => !temporary),
  })).filter(({ wanted, lasting }) => wanted.some((units, row) => units !== undefined && lasting[row]));
  const rows = usesOf(DEMANDS[0] as Demand, TIMINGS).flatMap(({ limit, allowed, temporary }, row) => {
    const wanted = asked.map((each) => each.wanted[row]);
    if (temporary || wanted.every((units) => units === undefined)) return [];
    return [
      [limit, rounded(allowed), ...wanted.map((units) => (units === undefined ? '–' : roundedUp(units)))],
    ];
  });
  return markdown(['limit', 'default', ...asked.map(({ name }) => name)], rows);
}

function burstsTable(): string {
  const rows = Object.entries(BURST_SCENARIOS).map(([name, burst]) => {
    const { ends, peakConcurrency, diagnosticsDropped } = simulateBurst(burst, TIMINGS);
    return [
      name,
      ...[ends.accepted, ends.limited, ends.gateway, ends.lambda, ends.gate, ends.lead].map(rounded),
      rounded(peakConcurrency),
      rounded(diagnosticsDropped),
      timeUntilAllAccepted(burst),
    ];
  });
  const heads = ['202', 'rate-limited', 'gateway', 'Lambda', 'gate item', 'lead'];
  return markdown(
    ['burst', ...heads, 'concurrency', 'rejections not recorded', 'until all are accepted, with retries'],
    rows,
  );
}

function timeUntilAllAccepted(burst: Burst): string {
  const { ends, lastAcceptedAt } = simulateBurst({ ...burst, sendersRetry: true }, TIMINGS);
  const missing = Object.values(ends).reduce((sum, each) => sum + each, 0) - ends.accepted;
  const seconds = (lastAcceptedAt / 1_000).toFixed(1);
  return missing === 0 ? `${seconds} s` : `${seconds} s, but ${rounded(missing)}`;
}

function nameOf({ workspaces, leadsPerDayEach }: Demand): string {
  return `${rounded(workspaces)} × ${rounded(leadsPerDayEach)}`;
}

function rounded(value: number): string {
  return value >= 10 || Number.isInteger(value)
    ? Math.round(value).toLocaleString('en')
    : value.toPrecision(1);
}

/** To two significant digits, as in a request for a higher quota. */
function roundedUp(value: number): string {
  const digit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return (Math.ceil(value / digit) * digit).toLocaleString('en');
}

function percent(value: number): string {
  return value < 0.01 ? '< 1 %' : `${Math.round(100 * value).toLocaleString('en')} %`;
}

function inBold(value: number): string {
  return value > 1 ? `**${percent(value)}**` : percent(value);
}

function markdown(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** Puts each table between the two comments in the document that name it. */
export function fillTables(document: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const [start, end] = [`<!-- table ${name} -->\n`, `\n<!-- end ${name} -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`The document has no place for the table "${name}"`);
    return text.slice(0, from + start.length) + table + text.slice(to);
  }, document);
}

/** `npm run bench:scale` prints the tables; with `-- --write` it also puts them into docs/scale.md. */
if (import.meta.main) {
  const tables = scaleTables();
  for (const [name, table] of Object.entries(tables)) console.log(`${name}\n\n${table}\n`);
  if (process.argv.includes('--write')) {
    const document = new URL('../../docs/scale.md', import.meta.url);
    writeFileSync(document, fillTables(readFileSync(document, 'utf8'), tables));
  }
}
