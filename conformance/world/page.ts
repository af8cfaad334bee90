import { randomBytes } from 'node:crypto';
import { expectThat } from '../checks/expectations.ts';
import type { HttpRequest, HttpResponse, Send } from './http.ts';
import { SAMPLE, type Sender } from './submission.ts';

export const ORIGIN = 'https://shop.example.com';
const ROUTES = '/api/v1/browser';

export const newNonce = () => randomBytes(16).toString('hex');

export interface PageRequest {
  readonly body?: string | Buffer;
  /** `null` removes a header. */
  readonly headers?: Record<string, string | null>;
  readonly token?: string;
}

/** A page of this origin: what the browser SDK sends, without its code. */
export interface Page {
  readonly requestToken: (nonce: string) => Promise<HttpResponse>;
  readonly mint: (nonce: string) => Promise<string>;
  readonly submit: (nonce: string, request?: PageRequest) => Promise<HttpResponse>;
  readonly preflight: (route: 'token' | 'submissions') => Promise<HttpResponse>;
}

export function openPage(send: Send, { slug }: Pick<Sender, 'slug'>, origin: string = ORIGIN): Page {
  const headers = { Origin: origin, 'Content-Type': 'application/json' };
  const requestToken = (nonce: string) =>
    send({ path: `${ROUTES}/token`, headers, body: JSON.stringify({ form: slug, nonce }) });

  async function mint(nonce: string): Promise<string> {
    const response = await requestToken(nonce);
    const { token } = JSON.parse(response.body) as { token?: unknown };
    expectThat(typeof token === 'string', 'a token', `${response.status} ${response.body}`);
    return String(token);
  }

  return {
    requestToken,
    mint,

    async submit(nonce, { body = SAMPLE, headers: changed = {}, token } = {}) {
      const Authorization = `Bearer ${token ?? (await mint(nonce))}`;
      const wanted = Object.entries({ ...headers, Authorization, ...changed });
      const sent: HttpRequest['headers'] = {};
      for (const [name, value] of wanted) if (value !== null) sent[name] = value;
      return send({ path: `${ROUTES}/submissions`, headers: sent, body });
    },

    preflight: (route) =>
      send({
        method: 'OPTIONS',
        path: `${ROUTES}/${route}`,
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      }),
  };
}
