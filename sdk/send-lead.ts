import type { Lead, Outcome, SendLeadOptions } from './v1.module.d.ts';

/** What sending needs from the browser. Tests replace it. */
export interface Network {
  readonly fetch: typeof fetch;
  readonly isOnline: () => boolean;
  readonly untilOnline: () => Promise<void>;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly random: () => number;
}

/** The address may have to be found out first, and again after a network error. */
export type Endpoint = string | (() => Promise<string>);
export type SendOptions = Omit<SendLeadOptions, 'endpoint'> & { readonly endpoint: Endpoint };

/** One rejection may be a token that expired on the way. Two are final. */
const MAX_REJECTIONS = 2;
/** Waits after network errors, each up to half as long again, so that pages do not return all at once. */
const DELAYS_MILLISECONDS = [1_000, 3_000, 9_000];
/** Longer than the service's own limit of 29 s. */
const TIMEOUT_MILLISECONDS = 30_000;
/** Some systems report that they are offline while they are not. */
const MAX_OFFLINE_MILLISECONDS = 30_000;

/** Mints a token and submits with it. Every attempt uses the same nonce, so repeats make no second lead. */
export function makeSendLead(network: Network): (options: SendOptions) => Promise<Outcome> {
  const post = makePost(network);

  return async function sendLead({ endpoint, form, lead, nonce = createNonce(), onOffline }) {
    let rejections = 0;
    let failures = 0;
    for (;;) {
      try {
        const service = typeof endpoint === 'string' ? endpoint : await endpoint();
        const base = `${service.replace(/\/+$/, '')}/api/v1/browser/`;
        const { token } = await post(`${base}token`, { form, nonce });
        const answer = token ? await post(`${base}submissions`, lead, token) : {};
        if (answer.submission_id) return { status: 'sent', submissionId: answer.submission_id };
        rejections += 1;
        if (rejections === MAX_REJECTIONS) return { status: 'rejected' };
      } catch {
        if (!network.isOnline()) {
          // Not a failed attempt.
          onOffline?.(true);
          await Promise.race([network.untilOnline(), network.wait(MAX_OFFLINE_MILLISECONDS)]);
          onOffline?.(false);
          continue;
        }
        const delay = DELAYS_MILLISECONDS[failures];
        if (delay === undefined) return { status: 'unreachable' };
        failures += 1;
        await network.wait(delay * (1 + network.random() / 2));
      }
    }
  };
}

interface HttpResponse {
  readonly token?: string;
  readonly submission_id?: string;
}

/** Throws unless the response is the service's own: the gateway's responses have another status, or are unreadable here. */
function makePost({ fetch }: Network) {
  return async function post(url: string, body: Lead, token?: string): Promise<HttpResponse> {
    const response = await fetch(url, {
      method: 'POST',
      credentials: 'omit',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      signal: timeLimit(),
    });
    if (!response.ok) throw new Error(String(response.status));
    return response.json() as Promise<HttpResponse>;
  };
}

/** Undefined in browsers that do not have it. */
export function timeLimit(): AbortSignal | null {
  return AbortSignal.timeout?.(TIMEOUT_MILLISECONDS) ?? null;
}

export function createNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
