import type { Lead } from '../../packages/client/src/api.ts';
import { type ClientOptions, LeadNotSentError, makeSender } from '../../packages/client/src/send-lead.ts';

export const TOKEN = 'ingt_srv_4vQ9cT1mZx7LrB0nYk2Hs8Wd5Jf3GpUa6EoRiN';
export const SECRET = 'whsec_4vQ9cT1mZx7LrB0nYk2Hs8Wd5Jf3GpUa6EoRiN';
export const BASE = 'https://leads.example.com';
export const WITH_TOKEN = { baseUrl: BASE, token: TOKEN };
export const WITH_SECRET = { baseUrl: BASE, slug: 'contact-us', secret: SECRET };
export const FOR_TOOLS = { sourcesUrl: 'https://sources.example.com/', token: TOKEN };
export const LEAD = { name: 'Zoë', email: 'zoe@example.com' };
export const ID = '0197c2e8-8f00-7a31-b2c4-5d6e7f809101';
export const STARTED_AT = 1_782_907_200_000;

export interface Sent {
  readonly at: number;
  readonly url: string;
  readonly redirect: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A response, an error of fetch, or a response that never comes. */
export type Reply = readonly [status: number, body?: string] | Error | 'never';

export const ACCEPTED = [202, JSON.stringify({ submission_id: ID })] as const;
export const REJECTED = [200, '{"status":"rejected"}'] as const;

/** Moves to the next timer whenever nothing else is left to do. */
class Clock {
  now = STARTED_AT;
  readonly timers = new Set<{ at: number; ring: () => void }>();

  wait = (milliseconds: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const timer = { at: this.now + milliseconds, ring: resolve };
      this.timers.add(timer);
      const abort = () => {
        this.timers.delete(timer);
        reject(new DOMException('This operation was aborted', 'AbortError'));
      };
      if (signal?.aborted) abort();
      signal?.addEventListener('abort', abort);
      setImmediate(() => this.#ringNext());
    });

  #ringNext() {
    const [next] = [...this.timers].sort((one, other) => one.at - other.at);
    if (!next) return;
    this.timers.delete(next);
    this.now = next.at;
    next.ring();
  }
}

/** A service that gives these replies, the last one forever. */
export function world(options: ClientOptions, replies: readonly Reply[], random = 0) {
  const sent: Sent[] = [];
  const clock = new Clock();
  const { sendLead } = makeSender(options, {
    now: () => clock.now,
    random: () => random,
    wait: clock.wait,
    async fetch(url, { headers, body, redirect, signal } = {}) {
      const reply = replies[Math.min(sent.length, replies.length - 1)] as Reply;
      sent.push({
        at: clock.now - STARTED_AT,
        url: String(url),
        redirect,
        headers: headers as Record<string, string>,
        body: Buffer.from(body as Uint8Array).toString(),
      });
      if (reply === 'never') {
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        });
      }
      if (reply instanceof Error) throw reply;
      const [status, text = ''] = reply;
      return {
        status,
        headers: new Headers({ 'x-amzn-RequestId': 'req-1' }),
        text: async () => text,
      } as Response;
    },
  });
  const failure = async (lead: Lead = LEAD, more = {}) => {
    const thrown = await sendLead(lead, more).catch((error: unknown) => error);
    if (!(thrown instanceof LeadNotSentError)) throw thrown;
    return thrown;
  };
  return { sendLead, failure, sent, clock };
}
