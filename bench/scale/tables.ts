import { readFileSync, writeFileSync } from 'node:fs';
import { backgroundConcurrency, sumOf } from './background.ts';
import { BURST_SCENARIOS, type Burst, simulateBurst } from './burst.ts';
import { TIMINGS } from './capacity.ts';
import { dollarsPerDay } from './daily-cost.ts';
import { leadsThatGetIn, leadsWorkedOnInTurn } from './small-account.ts';
import { nearestOf, RATES, type Raise, share, type Use, usesOf } from './steady-load.ts';
import { resourcesWith } from './synthesized.ts';

type Row = readonly (string | number)[];

/** The tables of docs/scale.md, by the names that it marks their places with. */
export function scaleTables(): Readonly<Record<string, string>> {
  return { uses: usesTable(), raise: raiseTable(), small: smallAccountTable(), bursts: burstsTable() };
}

function usesTable(): string {
  const columns = RATES.map((rate) => usesOf(rate, TIMINGS));
  const rows = (columns[0] ?? []).map(({ limit, allowed, raise, temporary }, row) => [
    limit,
    rounded(allowed),
    ...columns.map((uses) => inBold(uses[row] ? share(uses[row]) : 0)),
    temporary ? 'time' : raiserOf(raise),
  ]);
  const rates = RATES.map((rate) => `${rounded(rate)}/s`);
  return markdown(['what a lead uses', 'by default', ...rates, 'raised by'], rows);
}

function raiserOf(raise: Raise | undefined): string {
  if (!raise) return '–';
  return raise.kind === 'setting' ? `\`${raise.name}\`` : 'quota';
}

/** Twice what is needed, because traffic is uneven within a second. */
const HEADROOM = 2;

function raiseTable(): string {
  const rows = RATES.map((rate) => {
    const uses = usesOf(rate, TIMINGS).filter(({ temporary }) => !temporary);
    const over = uses.filter((use) => share(use) > 1);
    return [
      rounded(rate),
      [...new Set(over.map(({ limit }) => limit.split(',')[0]))].join('; ') || 'nothing',
      wantedOf(uses, 'setting', ([name, value]) => `\`${name}=${value}\``),
      wantedOf(uses, 'quota', ([name, value]) => `${name}: ${value.toLocaleString('en')}`),
      rounded(Number(dollarsPerDay(rate, TIMINGS).toPrecision(2))),
    ];
  });
  return markdown(['leads/s', 'over a default', 'settings', 'quotas to request', 'US $ per day'], rows);
}

/** One quota may be for several limits. */
function wantedOf(
  uses: readonly Use[],
  kind: Raise['kind'],
  show: (raised: readonly [string, number]) => string,
): string {
  const wanted = new Map<string, number>();
  for (const { raise, needed, allowed } of uses) {
    if (raise?.kind !== kind || HEADROOM * needed <= allowed) continue;
    const value = twoDigits(raise.value(HEADROOM * needed));
    wanted.set(raise.name, Math.max(value, wanted.get(raise.name) ?? 0));
  }
  return [...wanted].map(show).join(', ') || '–';
}

function smallAccountTable(): string {
  const worked = nearestOf(usesOf(RATES[0], TIMINGS), 'after').allowed;
  const cases = [
    ['by default', {}, worked],
    ['`smallAccount=true`', { smallAccount: true }, leadsWorkedOnInTurn(TIMINGS)],
  ] as const;
  const rows = cases.map(([name, context, perSecond]) => {
    const taken = sumOf(backgroundConcurrency(resourcesWith(context)));
    return [name, taken, leadsThatGetIn(taken, TIMINGS), rounded(perSecond)];
  });
  return markdown(
    [
      '',
      'functions for other work',
      'leads/s with less than 1 % throttled',
      'leads/s enriched and forwarded',
    ],
    [...rows, ['while no other work is done', 0, leadsThatGetIn(0, TIMINGS), 0]],
  );
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

function rounded(value: number): string {
  return value >= 10 || Number.isInteger(value)
    ? Math.round(value).toLocaleString('en')
    : value.toPrecision(1);
}

/** Rounded up to two significant digits, as in a request for a higher quota. */
function twoDigits(value: number): number {
  const digit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / digit) * digit;
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
