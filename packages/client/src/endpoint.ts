import { createHmac } from 'node:crypto';
import type { Operations } from './api.ts';

/** Who sends, and where to: a server token, a form's webhook secret, or a server token on the address for tools. */
export type Credential =
  | { readonly baseUrl: string; readonly token: string; slug?: never; secret?: never; sourcesUrl?: never }
  | {
      readonly baseUrl: string;
      readonly slug: string;
      readonly secret: string;
      token?: never;
      sourcesUrl?: never;
    }
  | { readonly sourcesUrl: string; readonly token: string; baseUrl?: never; slug?: never; secret?: never };

export interface Endpoint {
  readonly url: string;
  /** The only status that can mean success. */
  readonly successStatus: number;
  /** For each attempt again: a signature is valid for 5 minutes. */
  readonly authenticate: (body: Uint8Array, nowMilliseconds: number) => Readonly<Record<string, string>>;
}

const SLUG = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9])?$/;
/** Visible ASCII only: fetch would repeat anything else in its error message. */
const SERVER_TOKEN = /^ingt_srv_[\x21-\x7e]+$/;

/** Statuses are those of the API document, or this does not compile. */
const status = <Operation extends keyof Operations>(
  _operation: Operation,
  success: keyof Operations[Operation]['responses'] & string,
) => Number(success);

/** HMAC-SHA256 in lowercase hex, for the header X-SVC-Signature. */
export function sign(timestamp: string, body: string | Uint8Array, secret: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

/** No message contains what was given: it may be a secret. */
export function makeEndpoint({ baseUrl, sourcesUrl, token, slug, secret }: Credential): Endpoint {
  const signs = secret !== undefined || slug !== undefined;
  if ((baseUrl === undefined) === (sourcesUrl === undefined) || (token === undefined) !== signs) {
    throw new TypeError('Pass { baseUrl, token }, { baseUrl, slug, secret } or { sourcesUrl, token }.');
  }
  if (!signs) {
    if (typeof token !== 'string' || !SERVER_TOKEN.test(token)) {
      throw new TypeError('The token is not a server token, which begins with ingt_srv_.');
    }
    const authenticate = () => ({ authorization: `Bearer ${token}` });
    return sourcesUrl === undefined
      ? {
          url: `${base('baseUrl', baseUrl)}/api/v1/ingest`,
          successStatus: status('ingestFromServer', '202'),
          authenticate,
        }
      : {
          url: `${base('sourcesUrl', sourcesUrl)}/sources/v1`,
          successStatus: status('ingestFromTool', '200'),
          authenticate,
        };
  }
  if (sourcesUrl !== undefined) throw new TypeError('The address for tools takes a token, not a secret.');
  if (typeof slug !== 'string' || !SLUG.test(slug)) throw new TypeError('The slug is not that of a form.');
  if (typeof secret !== 'string' || secret === '' || secret.startsWith('ingt_')) {
    throw new TypeError('The secret is not a webhook secret.');
  }
  return {
    url: `${base('baseUrl', baseUrl)}/api/v1/ingest/${slug}`,
    successStatus: status('ingestFromWebhook', '202'),
    authenticate(body, nowMilliseconds) {
      const timestamp = String(Math.floor(nowMilliseconds / 1000));
      return { 'x-svc-timestamp': timestamp, 'x-svc-signature': sign(timestamp, body, secret) };
    },
  };
}

/** What fetch would refuse each time, and an address with the path, would look like an outage. */
function base(name: string, given: unknown): string {
  let url: URL | undefined;
  try {
    url = new URL(String(given));
  } catch {}
  const plain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password;
  if (!plain || /[?#]/.test(url?.href ?? '')) throw new TypeError(`${name} is not an http or https address.`);
  if (/\/(api|sources)\/(v1\b|ingest\b)/.test(url?.pathname ?? '')) {
    throw new TypeError(`${name} is the address without its path: leave out /api/v1/ingest or /sources/v1.`);
  }
  return (url as URL).href.replace(/\/+$/, '');
}
