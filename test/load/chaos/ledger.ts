import { acceptedId, isAllowed, type Reply } from '../post.ts';
import type { Plan } from './plan.ts';

/** All that the clients of a key have seen. */
export interface KeyHistory {
  readonly plan: Plan;
  readonly acceptedIds: Set<string>;
}

/** What the senders know when all is over; the audit holds the tables against it. */
export interface Ledger {
  readonly keys: Map<string, KeyHistory>;
  readonly forbiddenAnswers: string[];
  /** Keys with a 202. */
  accepted: number;
  attempts: number;
  rejections: number;
  /** Connections refused, reset, or closed without an answer. */
  lost: number;
  slowestMilliseconds: number;
}

export function newLedger(): Ledger {
  return {
    keys: new Map(),
    forbiddenAnswers: [],
    accepted: 0,
    attempts: 0,
    rejections: 0,
    lost: 0,
    slowestMilliseconds: 0,
  };
}

export function historyOf(ledger: Ledger, plan: Plan): KeyHistory {
  const history = ledger.keys.get(plan.key) ?? { plan, acceptedIds: new Set() };
  ledger.keys.set(plan.key, history);
  return history;
}

/** Whether the answer was an acceptance. */
export function note(ledger: Ledger, history: KeyHistory, reply: Reply): boolean {
  ledger.slowestMilliseconds = Math.max(ledger.slowestMilliseconds, reply.tookMilliseconds);
  if (!isAllowed(reply)) ledger.forbiddenAnswers.push(`${reply.status} ${reply.body.slice(0, 80)}`);
  const id = acceptedId(reply);
  if (id === undefined) {
    ledger.rejections += 1;
    return false;
  }
  if (history.acceptedIds.size === 0) ledger.accepted += 1;
  history.acceptedIds.add(id);
  return true;
}
