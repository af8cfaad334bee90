import type { Message, MessageStatus } from '#sending/message.ts';
import { type Finding, judged, measured, noExceptions } from '../findings.ts';
import { quantile } from '../timing/statistics.ts';

export interface Timed {
  readonly leadId: string;
  /** From the 202 until the lead arrived at the receiver that works. Infinite if it never did. */
  readonly delayMilliseconds: number;
}

export interface ForwardingEvidence {
  /** How many submissions were sent while there was a dead destination. */
  readonly sent: number;
  /** Those accepted before there was a dead destination, in the order of sending. */
  readonly alone: readonly Timed[];
  readonly beside: readonly Timed[];
  readonly good: readonly Pick<Message, 'leadId' | 'status'>[];
  readonly dead: readonly Pick<Message, 'leadId' | 'status'>[];
  readonly deadRequests: number;
}

/** Two batches of ten can be under way when the breaker opens. Then come probes, after 5 s, 1 min, 5 min and 30 min. */
const MAX_DEAD_REQUESTS = 2 * 10 + 4;

/** For the noise of the machine. A queue that is not drained grows by more than this each second. */
const MARGIN_MILLISECONDS = 500;

export function auditForwarding(evidence: ForwardingEvidence): Finding[] {
  const { sent, alone, beside, good, dead, deadRequests } = evidence;
  const window = Math.min(1_000, Math.ceil(beside.length / 10));
  const [first, last] = [beside.slice(0, window), beside.slice(-window)];
  const [before, after] = [medianOf(alone), medianOf(last)];
  const named = window.toLocaleString('en');
  return [
    measured('delay at the good destination, alone', spread(alone)),
    measured(`the first ${named} beside a dead one`, spread(first)),
    measured(`the last ${named} beside a dead one`, spread(last)),
    measured('all of them', spread(beside)),
    judged(
      'the delay at the good destination does not grow',
      after <= 2 * before + MARGIN_MILLISECONDS,
      `median ${milliseconds(after)} at the end, ${milliseconds(before)} alone`,
    ),
    judged(
      'the dead destination gets few requests',
      deadRequests > 0 && deadRequests <= MAX_DEAD_REQUESTS,
      `${deadRequests} for ${beside.length.toLocaleString('en')} leads`,
    ),
    without('every lead is delivered to the good destination', beside, good, ['delivered']),
    without('every lead waits for the dead destination', beside, dead, ['parked', 'waiting', 'failed']),
    measured('accepted', `${beside.length.toLocaleString('en')} of ${sent.toLocaleString('en')}`),
  ];
}

/** What other tenants may notice of hostile ones. */
const MEDIAN_MILLISECONDS = 2_000;
const SLOWEST_MILLISECONDS = 30_000;

/** `beside`: the delays of other tenants' leads, by the number of hostile tenants. */
export function auditTenants(beside: ReadonlyMap<number, readonly Timed[]>): Finding[] {
  return [...beside].flatMap(([hostile, leads]) => {
    const where = hostile === 0 ? 'without hostile tenants' : `beside ${hostile} hostile`;
    const slowest = Math.max(...leads.map(({ delayMilliseconds }) => delayMilliseconds));
    return [
      measured(`delay of other tenants' leads, ${where}`, spread(leads)),
      judged(
        `others' median stays below 2 s, ${where}`,
        leads.length > 0 && medianOf(leads) < MEDIAN_MILLISECONDS,
        milliseconds(medianOf(leads)),
      ),
      judged(
        `none takes longer than 30 s, ${where}`,
        leads.length > 0 && slowest <= SLOWEST_MILLISECONDS,
        milliseconds(slowest),
      ),
    ];
  });
}

function without(
  what: string,
  leads: readonly Timed[],
  messages: ForwardingEvidence['good'],
  allowed: readonly MessageStatus[],
): Finding {
  const statuses = new Map(messages.map(({ leadId, status }) => [leadId, status]));
  const exceptions = leads.flatMap(({ leadId }) => {
    const status = statuses.get(leadId);
    return status !== undefined && allowed.includes(status)
      ? []
      : [`${leadId} ${status ?? 'has no message'}`];
  });
  return noExceptions(what, exceptions, leads.length, 'leads');
}

const delaysOf = (leads: readonly Timed[]) =>
  Float64Array.from(leads, ({ delayMilliseconds }) => delayMilliseconds);
const medianOf = (leads: readonly Timed[]) => quantile(delaysOf(leads), 0.5);
const milliseconds = (value: number) => `${value.toFixed(0)} ms`;

function spread(leads: readonly Timed[]): string {
  const delays = delaysOf(leads);
  const [p99, slowest] = [quantile(delays, 0.99), delays.reduce((most, each) => Math.max(most, each), 0)];
  return `median ${milliseconds(medianOf(leads))}, p99 ${milliseconds(p99)}, slowest ${milliseconds(slowest)} of ${leads.length.toLocaleString('en')}`;
}
