import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Accepted, Ignored, Lead } from './api.ts';
import { type Credential, makeEndpoint } from './endpoint.ts';

export type ClientOptions = Credential & {
  /** No attempt begins later than this after the first. One hour by default, at most 23. */
  readonly giveUpAfterMilliseconds?: number;
};

export interface SendOptions {
  /**
   * One per lead, 1 to 255 visible ASCII characters. Store it with the lead. Without it, each call makes a new one, which
   * is safe within the call only: if the process ends before, sending again may make a second lead.
   */
  readonly idempotencyKey?: string;
  /** Ends the call with the signal's reason. The lead may have been stored. */
  readonly signal?: AbortSignal;
}

export interface Client {
  /** Retries until the lead is stored. Keep the lead until this resolves. */
  sendLead(lead: Lead, options?: SendOptions): Promise<Accepted>;
}

/** What a client needs from its process. Tests replace it. */
export interface Surroundings {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly random: () => number;
  /** Rejects when the signal is aborted. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<unknown>;
}

const RESPONSE_MILLISECONDS = 15_000;
const FIRST_WAIT_MILLISECONDS = 1_000;
const MAX_WAIT_MILLISECONDS = 128_000;
const HOUR_MILLISECONDS = 3_600_000;
/** The service remembers a key for 24 hours. After that, a repeat would be a second lead. */
const MAX_HOURS = 23;
const MAX_BODY_BYTES = 131_072;
const KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** Has neither the lead nor the credential, so that it can be logged. */
export class LeadNotSentError extends Error {
  override readonly name = 'LeadNotSentError';
  readonly attempts: number;
  /** Send the lead with the same key again, even if the client made it. */
  readonly idempotencyKey: string;
  /** False if the lead can never be accepted like this. */
  readonly canRetry: boolean;
  /** Of the last response. Undefined if the last attempt got none. */
  readonly status: number | undefined;
  /** The owner of the workspace finds the reason under this ID in Diagnostics. */
  readonly requestId: string | undefined;

  constructor(attempts: number, idempotencyKey: string, { status, requestId, problem, isFinal }: Failure) {
    const count = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
    const where = requestId ? ` Look up request ID ${requestId} in Diagnostics.` : '';
    super(`The lead was not accepted in ${count}. ${problem}.${where}`);
    this.attempts = attempts;
    this.idempotencyKey = idempotencyKey;
    this.canRetry = !isFinal;
    this.status = status;
    this.requestId = requestId;
  }
}

interface Failure {
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly problem: string;
  readonly isFinal?: boolean;
}

export function makeSender(options: ClientOptions, { fetch, now, random, wait }: Surroundings): Client {
  const { giveUpAfterMilliseconds = HOUR_MILLISECONDS } = options;
  const endpoint = makeEndpoint(options);
  if (!(giveUpAfterMilliseconds >= 0 && giveUpAfterMilliseconds <= MAX_HOURS * HOUR_MILLISECONDS)) {
    throw new TypeError(`giveUpAfterMilliseconds is from 0 to ${MAX_HOURS} hours.`);
  }

  return {
    async sendLead(lead, { idempotencyKey = randomUUID(), signal } = {}) {
      const body = serialize(lead);
      if (typeof idempotencyKey !== 'string' || !KEY.test(idempotencyKey)) {
        throw new TypeError('idempotencyKey must have 1 to 255 visible ASCII characters.');
      }
      // Many calls may share one signal, of which Node 18 and 20 would warn.
      if (signal) setMaxListeners(0, signal);
      const giveUpAt = now() + giveUpAfterMilliseconds;
      for (let attempts = 1; ; attempts += 1) {
        const outcome = await attempt(body, idempotencyKey, signal);
        if ('submission_id' in outcome) return outcome;
        const pause = Math.min(FIRST_WAIT_MILLISECONDS * 2 ** (attempts - 1), MAX_WAIT_MILLISECONDS);
        // A random part, so that not all leads are retried at once.
        const milliseconds = pause * (1 + random());
        if (outcome.isFinal || now() + milliseconds > giveUpAt) {
          throw new LeadNotSentError(attempts, idempotencyKey, outcome);
        }
        await wait(milliseconds, signal).catch((error) => {
          signal?.throwIfAborted();
          throw error;
        });
      }
    },
  };

  async function attempt(body: Uint8Array<ArrayBuffer>, key: string, signal?: AbortSignal) {
    signal?.throwIfAborted();
    // AbortSignal.any is newer than Node 18.
    const ended = new AbortController();
    const end = () => ended.abort();
    signal?.addEventListener('abort', end);
    wait(RESPONSE_MILLISECONDS, ended.signal).then(end, () => undefined);
    try {
      const response = await fetch(endpoint.url, {
        method: 'POST',
        // A redirect would take the credential to another address.
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          'x-svc-idempotency-key': key,
          ...endpoint.authenticate(body, now()),
        },
        body,
        signal: ended.signal,
      });
      const text = await response.text();
      return judge(response, text, endpoint.successStatus);
    } catch (error) {
      signal?.throwIfAborted();
      return {
        problem: `The last one got no response (${ended.signal.aborted ? 'timeout' : codeOf(error)})`,
      };
    } finally {
      signal?.removeEventListener('abort', end);
      end();
    }
  }
}

/** Only the documented success is success: this status with a submission_id. */
function judge({ status, headers }: Response, text: string, successStatus: number): Accepted | Failure {
  const failure = { status, requestId: headers.get('x-amzn-requestid') ?? undefined };
  if (status === 410) return { ...failure, problem: 'This address is retired (410)', isFinal: true };
  const answer = status === successStatus ? parse(text) : {};
  if (typeof answer.submission_id === 'string') return { submission_id: answer.submission_id };
  // On the address for tools: repeating it would not help.
  if (answer.status === 'ignored') return { ...failure, problem: 'The service ignored it', isFinal: true };
  const without = status === successStatus ? ' without a submission_id' : '';
  return { ...failure, problem: `The last one got ${status}${without}` };
}

function parse(text: string): Partial<Accepted & Ignored> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Once for all attempts. */
function serialize(lead: Lead): Uint8Array<ArrayBuffer> {
  const prototype = lead === null || typeof lead !== 'object' ? undefined : Object.getPrototypeOf(lead);
  if (prototype === undefined || (prototype !== null && Object.getPrototypeOf(prototype) !== null)) {
    throw new TypeError('The lead must be a plain object.');
  }
  let text: string | undefined;
  try {
    text = JSON.stringify(lead);
  } catch {}
  if (!text?.startsWith('{')) throw new TypeError('The lead can’t be written as a JSON object.');
  const body = new TextEncoder().encode(text);
  if (body.length > MAX_BODY_BYTES) {
    throw new TypeError(`The lead has ${body.length} bytes as JSON. At most ${MAX_BODY_BYTES} are accepted.`);
  }
  return body;
}

/** Such as ECONNREFUSED. The messages of fetch may contain what was sent. */
function codeOf(error: unknown): string {
  const { code } = Object((error as { cause?: unknown } | null)?.cause ?? error) as { code?: unknown };
  return typeof code === 'string' ? code : 'network error';
}
