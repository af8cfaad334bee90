import type { Verdict } from './judge.ts';
import type { Kind } from './model.ts';
import type { Plan } from './plan.ts';

export interface Row {
  readonly mutator: string;
  readonly kind: string;
  requests: number;
  readonly answers: Record<Kind | 'closed' | 'hung up', number>;
}

const NONE = {
  accepted: 0,
  rejected: 0,
  gateway: 0,
  gone: 0,
  'over 10 MB': 0,
  'bad coding': 0,
  closed: 0,
  'hung up': 0,
};

/** Counts what was tried and what came of it. What was changed in several ways counts in several rows, and once in all. */
export function makeTally() {
  const rows = new Map<string, Row>();
  const latencies = new Uint32Array(10_001);
  const all = newRow('all', '');
  let slowest = 0;

  function count(row: Row, requests: number, plan: Plan, { kinds, closedSilently }: Verdict): void {
    row.requests += requests;
    for (const kind of kinds) row.answers[kind] += 1;
    if (plan.delivery.hangUpAfter !== undefined) row.answers['hung up'] += 1;
    else if (closedSilently) row.answers.closed += 1;
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
    /** The time within which this share of the connections had their last answer. */
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
  return { mutator, kind, requests: 0, answers: { ...NONE } };
}

function byName(one: Row, other: Row): number {
  return `${one.mutator} ${one.kind}`.localeCompare(`${other.mutator} ${other.kind}`);
}
