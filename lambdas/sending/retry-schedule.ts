const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The waits between the attempts of one message; the first attempt is made at once. */
const RETRY_DELAYS_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];

export const MAX_ATTEMPTS = RETRY_DELAYS_MS.length + 1;

/** How long after an open breaker's last attempt the next one is made. */
const PROBE_DELAYS_MS = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, HOUR];

export const DISABLED_AFTER_MS = 5 * DAY;

/** The longest `Retry-After` that is respected. */
const MAX_RETRY_AFTER_MS = DAY;

/** SQS can delay a message by so much. What waits longer waits in the table. */
export const MAX_QUEUE_DELAY_MS = 15 * MINUTE;

/** A message that was lost in the queue is found in the table after this time. */
export const SAFETY_MARGIN_MS = 2 * MINUTE;

export interface Wait {
  /** Those that count, this one included. */
  readonly countedAttempts: number;
  /** From the receiver's `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined;
  /** From 0 to 1. */
  readonly random: number;
}

/** Milliseconds until the next attempt of a message; undefined if there is none. */
export function retryDelay({ countedAttempts, retryAfterSeconds, random }: Wait): number | undefined {
  const delay = RETRY_DELAYS_MS[countedAttempts - 1];
  return delay === undefined ? undefined : atLeast(withJitter(delay, random), retryAfterSeconds);
}

/** Milliseconds until an unreachable destination is probed; `step` counts the probes since it was closed. */
export function probeDelay(step: number, random: number, retryAfterSeconds?: number): number {
  const delay = PROBE_DELAYS_MS[Math.min(step, PROBE_DELAYS_MS.length - 1)] as number;
  return atLeast(withJitter(delay, random), retryAfterSeconds);
}

/** Up to a tenth more, so that messages that failed together do not return together. */
function withJitter(milliseconds: number, random: number): number {
  return Math.round(milliseconds * (1 + random / 10));
}

function atLeast(milliseconds: number, retryAfterSeconds = 0): number {
  return Math.max(milliseconds, Math.min(retryAfterSeconds * SECOND, MAX_RETRY_AFTER_MS));
}

/** A place in the index by due time, under one destination. */
export interface DueCursor {
  readonly dueAt: number;
  readonly sk: string;
}

/** What all environments know about a destination's health. Absent while nothing is wrong and nothing waits. */
export interface DestinationHealth {
  /** Messages that failed since the last success, each once, because of the destination. */
  readonly failed?: ReadonlySet<string> | undefined;
  /** Messages that were refused since the last success, each once, with a response about the message itself. */
  readonly refused?: ReadonlySet<string> | undefined;
  readonly failingSince?: string | undefined;
  /** Resumed after failures, in milliseconds, and nothing has been delivered since. */
  readonly untriedSince?: number | undefined;
  /** While this is set the breaker is open: messages are parked. */
  readonly openedAt?: string | undefined;
  readonly probeStep?: number | undefined;
  readonly probeAt?: number | undefined;
  /** When to check the waiting messages next, in milliseconds. */
  readonly dueAt?: number | undefined;
  /** How many pages of waiting messages have been claimed: of two that claim the same page, one finds it changed. */
  readonly drains?: number | undefined;
  /** Up to where waiting messages have been queued, and when. */
  readonly drainedTo?: DueCursor | undefined;
  readonly drainedAt?: number | undefined;
  /** While this is set, the destination uses the slow lane. */
  readonly strainedAt?: string | undefined;
  readonly lastSlowAt?: string | undefined;
  /** Since the last slow one. */
  readonly fastResponses?: number | undefined;
  /** When it last left the slow lane. */
  readonly clearedAt?: string | undefined;
  readonly revision?: number | undefined;
  readonly touchedAt?: number | undefined;
}

export const FAILURES_THAT_OPEN = 5;
const FAILURES_OF_ANY_KIND_THAT_OPEN = 20;

/** Whether the breaker opens. Refusals count only when so many different messages in a row had no success. */
export function isBroken(health: DestinationHealth): boolean {
  return (health.failed?.size ?? 0) >= FAILURES_THAT_OPEN || acceptsNothing(health);
}

/** The receiver responds, and accepts none of many different messages. */
export function acceptsNothing({ failed = new Set(), refused = new Set() }: DestinationHealth): boolean {
  return new Set([...failed, ...refused]).size >= FAILURES_OF_ANY_KIND_THAT_OPEN;
}

const ABOUT_THE_MESSAGE = [400, 409, 413, 415, 422];

/** Whether a response is about this one message, and says nothing about the destination's health. */
export function isAboutMessage(status: number | undefined): boolean {
  return status !== undefined && ABOUT_THE_MESSAGE.includes(status);
}

/** A receiver that takes longer delays other tenants: its destination goes to the slow lane. */
const SLOW_AFTER_MS = 3 * SECOND;

export const FAST_RESPONSES_THAT_CLEAR = 10;

/** `neither`: there was no response, and it did not take long to find out. */
export function paceOf(attempt: {
  readonly milliseconds: number;
  readonly status?: number | undefined;
  readonly error?: string | undefined;
}): 'slow' | 'fast' | 'neither' {
  if (attempt.milliseconds > SLOW_AFTER_MS || attempt.error === 'timeout') return 'slow';
  return attempt.status === undefined ? 'neither' : 'fast';
}

/** How many waiting messages are sent at once after a recovery: ten, then twice as many each time. */
export const FIRST_DRAIN = 10;
const MAX_DRAIN = 500;

export function nextDrain(size: number): number {
  return Math.min(2 * size, MAX_DRAIN);
}
