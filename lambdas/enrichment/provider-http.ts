import { setTimeout as sleep } from 'node:timers/promises';
import { domainToASCII } from 'node:url';
import { type Facts, factsFrom } from './enrichment-item.ts';
import { ExternalFailure, makeCircuitBreaker } from './external-failures.ts';
import type { ProviderKey } from './provider-key-store.ts';

/** The question for the provider; only known values are sent. */
export type ProviderQuestion = Readonly<
  Partial<Record<'email' | 'domain' | 'phone' | 'name' | 'company', string>>
>;

const MAX_FACTS = 30;
const MAX_TEXT_LENGTH = 1_000;
const KEY = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

export function providerQuestion(facts: Facts): ProviderQuestion {
  const text = (name: string) => facts[name]?.value as string | undefined;
  const name = [text('firstName'), text('lastName')].filter(Boolean).join(' ');
  const question = {
    email: text('email'),
    // People read it in Unicode, DNS and providers in ASCII.
    domain: domainToASCII(text('emailDomain') ?? ''),
    phone: text('phone'),
    name: name || undefined,
    company: text('company'),
  };
  return Object.fromEntries(
    Object.entries(question).filter((entry): entry is [keyof typeof question, string] => Boolean(entry[1])),
  );
}

/** Plain values under plain keys, prefixed so that they cannot hide our own facts. */
export function providerFacts(fields: Readonly<Record<string, unknown>>): Facts {
  const kept = Object.entries(fields)
    .filter((entry): entry is [string, string | number | boolean] => KEY.test(entry[0]) && isPlain(entry[1]))
    .slice(0, MAX_FACTS);
  return factsFrom('provider', Object.fromEntries(kept.map(([key, value]) => [`provider.${key}`, value])));
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= MAX_TEXT_LENGTH;
  return typeof value === 'boolean' || (typeof value === 'number' && isStorable(value));
}

/** DynamoDB refuses numbers beyond 38 digits or 1e-130, and its client those that are not exact. */
function isStorable(value: number): boolean {
  const size = Math.abs(value);
  return value === 0 || (size >= 1e-9 && size <= Number.MAX_SAFE_INTEGER);
}

export type ProviderReply =
  | { readonly kind: 'answer'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: 'unauthorized' }
  /** Down or busy, with the time to wait if the provider sent one. */
  | { readonly kind: 'outage'; readonly code: unknown; readonly retryAfter?: string | undefined };

const MAX_RESPONSE_BYTES = 64 * 1_024;
const TRY_AGAIN = new Set([408, 425, 429]);

/** One request. Throws an ExternalFailure when asking again would bring the same. */
export async function postQuestion(
  url: string,
  key: string,
  question: ProviderQuestion,
  signal: AbortSignal,
): Promise<ProviderReply> {
  let response: Response;
  let text: string | undefined;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify(question),
      // A redirect would carry somebody's address to a place that the deployer did not name.
      redirect: 'manual',
      signal,
    });
    text = response.ok ? await readAtMost(MAX_RESPONSE_BYTES, response) : undefined;
    if (!response.ok) await response.body?.cancel();
  } catch (error) {
    return { kind: 'outage', code: codeOf(error) };
  }
  if (response.status === 401) return { kind: 'unauthorized' };
  if (response.status >= 500 || TRY_AGAIN.has(response.status)) {
    return {
      kind: 'outage',
      code: `HTTP_${response.status}`,
      retryAfter: response.headers.get('retry-after') ?? undefined,
    };
  }
  const fields = response.status === 204 ? {} : jsonObject(text);
  if (!fields)
    throw new ExternalFailure(
      'provider',
      false,
      response.ok ? 'ANSWER_UNREADABLE' : `HTTP_${response.status}`,
    );
  return { kind: 'answer', fields };
}

async function readAtMost(mostBytes: number, response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop early cancels the rest.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function jsonObject(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** fetch's errors may quote URLs and headers; their codes are enough. */
function codeOf(error: unknown): unknown {
  const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } };
  return cause?.code ?? name;
}

export interface EnrichmentProvider {
  /** Throws an ExternalFailure, and nothing that quotes the question or the key. */
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
const MAX_PAUSE_MS = 2_000;
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
    refusal: () => new ExternalFailure('provider', true, 'CIRCUIT_OPEN'),
    isOutage: (error) => error instanceof ExternalFailure && error.transient,
  });

  async function post(question: ProviderQuestion, signal: AbortSignal): Promise<ProviderReply> {
    const limited = () => AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]);
    const current = await inTime(key.current(), signal);
    const reply = await postQuestion(url, current, question, limited());
    if (reply.kind !== 'unauthorized') return reply;
    const rotated = await inTime(key.after(current), signal);
    return rotated === current ? reply : postQuestion(url, rotated, question, limited());
  }

  async function askWithRetry(question: ProviderQuestion, signal: AbortSignal): Promise<Facts> {
    let reply = await post(question, signal);
    const pauseMilliseconds = reply.kind === 'outage' ? pauseFor(reply.retryAfter, now()) : undefined;
    if (pauseMilliseconds !== undefined && !signal.aborted) {
      await pause(pauseMilliseconds, signal);
      reply = await post(question, signal);
    }
    if (reply.kind === 'answer') return providerFacts(reply.fields);
    if (reply.kind === 'unauthorized') throw new ExternalFailure('provider', false, 'HTTP_401');
    throw new ExternalFailure('provider', true, reply.code);
  }

  return {
    ask: (question, signal) =>
      breaker.run(async () => {
        try {
          return await askWithRetry(question, signal);
        } catch (error) {
          if (error instanceof ExternalFailure) throw error;
          // The secret cannot be read, or time is up. The operator can fix this, so a retry makes sense.
          throw new ExternalFailure('provider', true, (error as Error).name);
        }
      }),
  };
}

/** Undefined if the provider asks for a longer wait than a message has: the queue waits instead. */
function pauseFor(retryAfter: string | undefined, nowMilliseconds: number): number | undefined {
  if (retryAfter === undefined) return USUAL_PAUSE_MS;
  const asked = /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * 1_000
    : Date.parse(retryAfter) - nowMilliseconds;
  if (Number.isNaN(asked)) return USUAL_PAUSE_MS;
  return asked <= MAX_PAUSE_MS ? Math.max(0, asked) : undefined;
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
