import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type ClientOptions, makeSender } from './send-lead.ts';

export type { Accepted, Lead } from './api.ts';
export { type Credential, sign } from './endpoint.ts';
export { type Client, type ClientOptions, LeadNotSentError, type SendOptions } from './send-lead.ts';

/** Throws at once if the credential or the address can't be right. */
export function makeClient(options: ClientOptions): Client {
  return makeSender(options, {
    // Looked up for each request, since instrumentation may replace it later.
    fetch: (...request) => fetch(...request),
    now: Date.now,
    random: Math.random,
    wait: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
  });
}
