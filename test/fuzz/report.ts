import { type Finding, judged } from '../load/findings.ts';
import { quantile } from '../load/timing/statistics.ts';
import type { Audit } from './audit.ts';
import { PATIENCE_MILLISECONDS } from './exchange.ts';
import type { FuzzResult } from './fuzz.ts';
import type { Verdict } from './judge.ts';
import type { Plan } from './plans.ts';

export interface Observed extends FuzzResult {
  readonly audit: Audit;
  readonly failures: number;
  readonly errorLines: number;
  readonly logLines: number;
  readonly droppedRecords: number;
  readonly complaints: readonly string[];
}

export function findingsOf(observed: Observed): Finding[] {
  const { audit, judge, tally, failures, errorLines, logLines, droppedRecords, complaints } = observed;
  const { leads, sourceRejections } = judge;
  // A long run must leave leads and log lines; a single request may leave none.
  const isLongRun = tally.requests > 100;
  const took = tally.milliseconds();
  const slowest = quantile(took, 1);
  const inMilliseconds = (share: number) => `${quantile(took, share).toFixed(0)} ms`;
  return [
    judged(
      'every answer is allowed, byte for byte, and the expected one; no connection hangs',
      failures === 0,
      `${tally.requests} requests`,
    ),
    judged(
      "no error in the functions' logs, and none from the stack itself",
      errorLines === 0 && complaints.length === 0 && (logLines > 0 || !isLongRun),
      `${logLines} lines`,
    ),
    judged('no rejection with internal_error in Diagnostics', audit.defects === 0, `${audit.defects}`),
    judged(
      'every rejection of Surface 1c is recorded with a reason, or logged as dropped',
      audit.unrecorded <= droppedRecords && (sourceRejections.size > 0 || !isLongRun),
      `${sourceRejections.size}; ${droppedRecords} dropped on all surfaces`,
    ),
    judged(
      'every acknowledged lead is stored with the bytes that were sent',
      audit.missing.length === 0 && audit.altered.length === 0 && (leads.size > 0 || !isLongRun),
      `${leads.size} leads`,
    ),
    judged(
      'no unexpected lead',
      audit.unaccounted === 0,
      `${audit.stored} stored, at most ${judge.unheard()} of them unacknowledged`,
    ),
    judged(
      'nothing hangs',
      slowest < PATIENCE_MILLISECONDS,
      `slowest ${(slowest / 1000).toFixed(2)} s, median ${inMilliseconds(0.5)}, 99 % within ${inMilliseconds(0.99)}`,
    ),
  ];
}

type Row = Record<string, number>;

/** Counts requests and responses. A request with several changes counts in several rows, but once in the total. */
export function makeTally() {
  const rows = new Map<string, Row>();
  const all: Row & { requests: number } = { requests: 0 };
  const took: number[] = [];

  return {
    add({ mutator, kinds, delivery }: Plan, requests: number, verdict: Verdict, milliseconds: number): void {
      const ending = delivery.hangUpAfter === undefined ? verdict.closedSilently && 'closed' : 'hung up';
      const responses = [...verdict.kinds, ...(ending ? [ending] : [])];
      for (const row of [all, ...kinds.map((kind) => rowOf(`${mutator}: ${kind}`))]) {
        row.requests = (row.requests ?? 0) + requests;
        for (const response of responses) row[response] = (row[response] ?? 0) + 1;
      }
      took.push(milliseconds);
    },
    get requests() {
      return all.requests;
    },
    /** Until the last response of a connection. */
    milliseconds: () => Float64Array.from(took),
    /** For `console.table`. */
    table: () => Object.fromEntries([...[...rows].sort(), ['all', all]]),
  };

  function rowOf(name: string): Row {
    const row = rows.get(name) ?? {};
    rows.set(name, row);
    return row;
  }
}

export type Tally = ReturnType<typeof makeTally>;
