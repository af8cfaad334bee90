import type { Tenant } from '../contract/tenant.ts';
import { type Framing, withLength } from './framings.ts';
import type { Random } from './random.ts';
import { sign, type World } from './world.ts';

/** A request before it is bytes. Text is Latin-1: one character is one byte on the wire. */
export interface Draft {
  surface: '1a' | '1b';
  tenant: Pick<Tenant, 'slug' | 'secret' | 'token'>;
  method: string;
  target: string;
  version: string;
  /** A value that depends on others is worked out at the end. */
  headers: { name: string; value: string | ((draft: Draft) => string) }[];
  body: Buffer;
  /** What the signature is over, where that is not the body. */
  signedBody?: Buffer;
  /** The time at which it is made, in seconds, and what it says of it. */
  readonly madeAt: number;
  timestamp: string;
  framing: Framing;
  /** What follows the request on the same connection. */
  following?: Buffer;
  cuts?: number[];
  hangUpAfter?: (length: number) => number;
  /** How many clients send it at the same time. */
  copies: number;
}

/** A submission with nothing wrong in it. */
export function validDraft(random: Random, { tenants }: World, nowSeconds: number): Draft {
  const tenant = random.pick(tenants);
  const surface = random.pick(['1a', '1b'] as const);
  return {
    surface,
    tenant,
    method: 'POST',
    target: surface === '1a' ? '/api/v1/ingest' : `/api/v1/ingest/${tenant.slug}`,
    version: 'HTTP/1.1',
    headers: [
      { name: 'Host', value: 'leads.example.com' },
      { name: 'User-Agent', value: 'fuzz' },
      { name: 'Content-Type', value: 'application/json' },
      ...(surface === '1a'
        ? [{ name: 'Authorization', value: (draft: Draft) => `Bearer ${draft.tenant.token}` }]
        : [
            { name: 'X-SVC-Timestamp', value: (draft: Draft) => draft.timestamp },
            { name: 'X-SVC-Signature', value: signatureOf },
          ]),
    ],
    body: Buffer.from(JSON.stringify({ name: random.text(8), note: random.text(random.below(40)) })),
    madeAt: nowSeconds,
    timestamp: String(nowSeconds),
    framing: withLength,
    copies: 1,
  };
}

export function signatureOf({ tenant, timestamp, body, signedBody = body }: Draft): string {
  return sign(tenant.secret, timestamp, signedBody);
}

export function setHeader(draft: Draft, name: string, value: Draft['headers'][number]['value']): void {
  dropHeader(draft, name);
  draft.headers.push({ name, value });
}

export function dropHeader(draft: Draft, name: string): void {
  draft.headers = draft.headers.filter((header) => header.name.toLowerCase() !== name.toLowerCase());
}

export function headerValue(draft: Draft, name: string): string {
  const found = draft.headers.find((header) => header.name.toLowerCase() === name.toLowerCase());
  return typeof found?.value === 'function' ? found.value(draft) : (found?.value ?? '');
}

export function toBytes(draft: Draft, random: Random): Buffer {
  const { lines, payload } = draft.framing(draft.body, random);
  const head = [
    `${draft.method} ${draft.target} ${draft.version}`,
    ...draft.headers.map(({ name, value }) => `${name}: ${typeof value === 'string' ? value : value(draft)}`),
    ...lines,
  ];
  return Buffer.concat([
    Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'),
    payload,
    draft.following ?? Buffer.alloc(0),
  ]);
}
