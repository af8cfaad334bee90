import type { Audit } from './audit.ts';
import { PATIENCE_MILLISECONDS } from './exchange.ts';
import type { FuzzResult } from './fuzz.ts';
import type { Verdict } from './judge.ts';
import type { Kind } from './model.ts';
import type { Plan } from './plans.ts';

/** A promise, and whether it held. */
interface Claim {
  readonly text: string;
  readonly held: boolean;
}

export interface Observed extends FuzzResult {
  readonly audit: Audit;
  readonly failures: number;
  readonly errorLines: number;
  readonly logLines: number;
  readonly droppedRecords: number;
  readonly complaints: readonly string[];
}

export function claimsOf(observed: Observed): Claim[] {
  const { audit, judge, tally, failures, errorLines, logLines, droppedRecords, complaints } = observed;
  // A long run must leave leads and log lines; a single request may leave none.
  const isLongRun = tally.requests > 100;
  return [
    {
      text: 'every answer is allowed, byte for byte, and the expected one; no connection hangs',
      held: failures === 0,
    },
    {
      text: `no error in ${logLines} lines of the functions' logs and none from the stack itself`,
      held: errorLines === 0 && complaints.length === 0 && (logLines > 0 || !isLongRun),
    },
    { text: 'no rejection with internal_error in Diagnostics', held: audit.defects === 0 },
    {
      text: `all ${judge.sourceRejections.size} rejections of Surface 1c are recorded with a reason, or logged as dropped (${droppedRecords} on all surfaces)`,
      held: audit.unrecorded <= droppedRecords && (judge.sourceRejections.size > 0 || !isLongRun),
    },
    {
      text: `all ${judge.leads.size} acknowledged leads are stored with the bytes that were sent`,
      held: audit.missing.length === 0 && audit.altered.length === 0 && (judge.leads.size > 0 || !isLongRun),
    },
    {
      text: `no unexpected lead: ${audit.stored} stored, at most ${judge.unheard()} of them unacknowledged`,
      held: audit.unaccounted === 0,
    },
    {
      text: `nothing hangs: the slowest answer took ${(tally.slowest() / 1000).toFixed(2)} s, median ${tally.quantile(0.5)} ms, 99 % within ${tally.quantile(0.99)} ms`,
      held: tally.slowest() < PATIENCE_MILLISECONDS,
    },
  ];
}

const COLUMNS: readonly (readonly [string, (row: Row) => string | number])[] = [
  ['mutator', ({ mutator }) => mutator],
  ['change', ({ kind }) => kind],
  ['requests', ({ requests }) => requests],
  ['202', ({ responses }) => responses.accepted],
  ['200 rejected', ({ responses }) => responses.rejected],
  ['200 from the gateway', ({ responses }) => responses.gateway],
  ['1c 200', ({ responses }) => responses['source accepted']],
  ['1c ignored', ({ responses }) => responses.ignored],
  ['1c 503', ({ responses }) => responses['source rejected']],
  ['1c 503 from the gateway', ({ responses }) => responses['source gateway']],
  ['to pages', ({ responses }) => responses['rejected page'] + responses.minted + responses.preflight],
  ['403', ({ responses }) => responses['other host']],
  ['410', ({ responses }) => responses.gone],
  ['413', ({ responses }) => responses['over 10 MB']],
  ['415', ({ responses }) => responses['bad coding']],
  ['closed', ({ responses }) => responses.closed],
  ['hung up', ({ responses }) => responses['hung up']],
];

export function table(rows: readonly Row[]): string {
  const lines = [
    COLUMNS.map(([name]) => name),
    ...rows.map((row) => COLUMNS.map(([, read]) => String(read(row)))),
  ];
  const widths = COLUMNS.map((_, at) => Math.max(...lines.map((line) => (line[at] ?? '').length)));
  const pad = (text: string, at: number) =>
    at < 2 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0);
  return lines.map((line) => line.map(pad).join('  ')).join('\n');
}

export interface Row {
  readonly mutator: string;
  readonly kind: string;
  requests: number;
  readonly responses: Record<Kind | 'closed' | 'hung up', number>;
}

const NONE = {
  accepted: 0,
  rejected: 0,
  gateway: 0,
  gone: 0,
  'rejected page': 0,
  minted: 0,
  preflight: 0,
  'source accepted': 0,
  ignored: 0,
  'source rejected': 0,
  'source gateway': 0,
  'over 10 MB': 0,
  'bad coding': 0,
  'other host': 0,
  closed: 0,
  'hung up': 0,
};

/** Counts requests and responses. A request with several changes counts in several rows, but once in the total. */
export function makeTally() {
  const rows = new Map<string, Row>();
  const latencies = new Uint32Array(10_001);
  const all = newRow('all', '');
  let slowest = 0;

  function count(row: Row, requests: number, plan: Plan, { kinds, closedSilently }: Verdict): void {
    row.requests += requests;
    for (const kind of kinds) row.responses[kind] += 1;
    if (plan.delivery.hangUpAfter !== undefined) row.responses['hung up'] += 1;
    else if (closedSilently) row.responses.closed += 1;
  }

  return {
    add(plan: Plan, requests: number, verdict: Verdict, milliseconds: number): void {
      for (const kind of plan.kinds) {
        const name = `${plan.mutator} ${kind}`;
        const row = rows.get(name) ?? newRow(plan.mutator, kind);
        rows.set(name, row);
        count(row, requests, plan, verdict);
      }
      count(all, requests, plan, verdict);
      slowest = Math.max(slowest, milliseconds);
      const slot = Math.min(10_000, Math.round(milliseconds));
      latencies[slot] = (latencies[slot] ?? 0) + 1;
    },
    get requests() {
      return all.requests;
    },
    slowest: () => slowest,
    /** The time within which this share of the connections got their last response. */
    quantile(share: number): number {
      const wanted = share * latencies.reduce((sum, each) => sum + each, 0);
      let sum = 0;
      return latencies.findIndex((each) => {
        sum += each;
        return sum >= wanted;
      });
    },
    rows: () => [...[...rows.values()].sort(byName), all],
  };
}

export type Tally = ReturnType<typeof makeTally>;

function newRow(mutator: string, kind: string): Row {
  return { mutator, kind, requests: 0, responses: { ...NONE } };
}

function byName(one: Row, other: Row): number {
  return `${one.mutator} ${one.kind}`.localeCompare(`${other.mutator} ${other.kind}`);
}
