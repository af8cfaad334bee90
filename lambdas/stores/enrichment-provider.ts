import { setTimeout as sleep } from 'node:timers/promises';
import type { Facts } from '../core/enrichment/facts.ts';
import { OutsideFailure } from '../core/enrichment/failures.ts';
import { type ProviderQuestion, providerFacts } from '../core/enrichment/provider-answer.ts';
import { makeCircuitBreaker } from './circuit-breaker.ts';
import { type ProviderReply, postQuestion } from './provider-http.ts';
import type { ProviderKey } from './provider-key.ts';

export interface EnrichmentProvider {
  /** Throws an OutsideFailure, and nothing that quotes the question or the key. */
  ask(question: ProviderQuestion, signal: AbortSignal): Promise<Facts>;
}

export interface EnrichmentProviderOptions {
  readonly url: string;
  readonly key: ProviderKey;
  readonly now: () => number;
  readonly timeoutMilliseconds?: number;
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const TIMEOUT_MS = 3_000;
const LONGEST_PAUSE_MS = 2_000;
const USUAL_PAUSE_MS = 250;

/** A service of the deployer's choice that knows more about a person or a company. */
export function makeEnrichmentProvider({
  url,
  key,
  now,
  timeoutMilliseconds = TIMEOUT_MS,
  pause = (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
}: EnrichmentProviderOptions): EnrichmentProvider {
  const breaker = makeCircuitBreaker({
    now,
    refusal: () => new OutsideFailure('provider', true, 'CIRCUIT_OPEN'),
    isOutage: (error) => error instanceof OutsideFailure && error.transient,
  });

  async function post(question: ProviderQuestion, signal: AbortSignal): Promise<ProviderReply> {
    const limited = () => AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]);
    const current = await inTime(key.current(), signal);
    const reply = await postQuestion(url, current, question, limited());
    if (reply.kind !== 'unauthorised') return reply;
    const rotated = await inTime(key.after(current), signal);
    return rotated === current ? reply : postQuestion(url, rotated, question, limited());
  }

  async function askTwice(question: ProviderQuestion, signal: AbortSignal): Promise<Facts> {
    let reply = await post(question, signal);
    const pauseMilliseconds = reply.kind === 'outage' ? pauseFor(reply.retryAfter, now()) : undefined;
    if (pauseMilliseconds !== undefined && !signal.aborted) {
      await pause(pauseMilliseconds, signal);
      reply = await post(question, signal);
    }
    if (reply.kind === 'answer') return providerFacts(reply.fields);
    if (reply.kind === 'unauthorised') throw new OutsideFailure('provider', false, 'HTTP_401');
    throw new OutsideFailure('provider', true, reply.code);
  }

  return {
    ask: (question, signal) =>
      breaker.run(async () => {
        try {
          return await askTwice(question, signal);
        } catch (error) {
          if (error instanceof OutsideFailure) throw error;
          // The secret cannot be read, or time is up: the operator's to mend, and then worth another try.
          throw new OutsideFailure('provider', true, (error as Error).name);
        }
      }),
  };
}

/** Nothing when the provider wants more patience than a message has: the queue waits better. */
function pauseFor(retryAfter: string | undefined, nowMilliseconds: number): number | undefined {
  if (retryAfter === undefined) return USUAL_PAUSE_MS;
  const asked = /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * 1_000
    : Date.parse(retryAfter) - nowMilliseconds;
  if (Number.isNaN(asked)) return USUAL_PAUSE_MS;
  return asked <= LONGEST_PAUSE_MS ? Math.max(0, asked) : undefined;
}

/** The secret is read for all messages at once, so none of them may abort it; each may stop waiting. */
async function inTime<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
