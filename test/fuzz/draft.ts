import { sign } from '#conformance/world/submission.ts';
import type { ProviderName } from '#sources/providers.ts';
import type { Tenant } from '../contract/tenant.ts';
import type { SeededRandom } from '../random.ts';
import type { World } from './world.ts';

/** A request before serialization. Text is Latin-1: one character is one byte on the wire. */
export interface Draft {
  surface: '1a' | '1b' | '1c';
  tenant: Pick<Tenant, 'slug' | 'secret' | 'token'>;
  method: string;
  target: string;
  version: string;
  /** A value that depends on others is computed on serialization. */
  headers: { name: string; value: string | ((draft: Draft) => string) }[];
  body: Buffer;
  /** On Surface 1c: the provider whose delivery it is, and its secret. */
  source?: { readonly provider: ProviderName; readonly secret: string; readonly deliveryId: string };
  /** The bytes that are signed, if not the body. */
  signedBody?: Buffer;
  /** When the draft was made, in seconds. The timestamp it sends may differ. */
  readonly madeAt: number;
  timestamp: string;
  framing: Framing;
  /** More bytes on the same connection. */
  following?: Buffer;
  cuts?: number[];
  hangUpAfter?: (length: number) => number;
  /** How many clients send it concurrently. */
  copies: number;
}

/** A request whose sender still has to prove something. */
export function draftTo(
  surface: Draft['surface'],
  target: string,
  { tenant, body, madeAt }: Pick<Draft, 'tenant' | 'body' | 'madeAt'>,
): Draft {
  return {
    surface,
    tenant,
    method: 'POST',
    target,
    version: 'HTTP/1.1',
    headers: [
      { name: 'Host', value: 'localhost' },
      { name: 'User-Agent', value: 'fuzz' },
      { name: 'Content-Type', value: 'application/json' },
    ],
    body,
    madeAt,
    timestamp: String(madeAt),
    framing: withLength,
    copies: 1,
  };
}

/** A small lead that is not clean: enriching it would only take time. */
export const anyLead = (random: SeededRandom): Buffer =>
  Buffer.from(JSON.stringify({ name: random.text(8), note: random.text(random.below(40)) }));

/** A valid submission. */
export function validDraft(random: SeededRandom, { tenants }: World, madeAt: number): Draft {
  const tenant = random.pick(tenants);
  const surface = random.pick(['1a', '1b'] as const);
  const target = surface === '1a' ? '/api/v1/ingest' : `/api/v1/ingest/${tenant.slug}`;
  const draft = draftTo(surface, target, { tenant, body: anyLead(random), madeAt });
  draft.headers.push(
    ...(surface === '1a'
      ? [{ name: 'Authorization', value: (made: Draft) => `Bearer ${made.tenant.token}` }]
      : [
          { name: 'X-SVC-Timestamp', value: (made: Draft) => made.timestamp },
          { name: 'X-SVC-Signature', value: signatureOf },
        ]),
  );
  return draft;
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

export function toBytes(draft: Draft, random: SeededRandom): Buffer {
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

/** How the end of the body is marked: header lines, and the body as it goes over the wire. */
export type Framing = (body: Buffer, random: SeededRandom) => { lines: string[]; payload: Buffer };

const CHUNKED = 'Transfer-Encoding: chunked';

export const withLength: Framing = (body) => ({ lines: [`Content-Length: ${body.length}`], payload: body });

export function withLengthText(text: (length: number) => string): Framing {
  return (body) => ({ lines: [`Content-Length: ${text(body.length)}`], payload: body });
}

export function withLines(lines: (length: number) => string[]): Framing {
  return (body) => ({ lines: lines(body.length), payload: body });
}

interface Chunking {
  readonly line?: string;
  readonly longest?: number;
  readonly size?: (length: number, random: SeededRandom) => string;
  readonly end?: string;
  /** Between a chunk and the next. */
  readonly separator?: string;
}

export function inChunks(chunking: Chunking = {}): Framing {
  const { line = CHUNKED, longest = 4096, separator = '\r\n', end = '0\r\n\r\n' } = chunking;
  const size = chunking.size ?? ((length: number) => length.toString(16));
  return (body, random) => {
    const parts: Buffer[] = [];
    // Tiny chunks of a large body would make a hundred thousand buffers.
    const most = Math.max(longest, Math.ceil(body.length / 2000));
    for (let from = 0; from < body.length; ) {
      const chunk = body.subarray(from, from + random.between(1, most));
      parts.push(Buffer.from(`${size(chunk.length, random)}\r\n`, 'latin1'), chunk, Buffer.from(separator));
      from += chunk.length;
    }
    return { lines: [line], payload: Buffer.concat([...parts, Buffer.from(end, 'latin1')]) };
  };
}

type MutationKind =
  | 'method'
  | 'path'
  | 'headers'
  | 'credentials'
  | 'idempotency'
  | 'body'
  | 'delivery'
  | 'payload'
  | 'framing'
  | 'connection';

/** One change to a valid submission. */
export interface Mutation {
  readonly kind: MutationKind;
  /** Its effect when applied alone: none, the submission is rejected, or whatever the model says. */
  readonly effect: 'harmless' | 'fatal' | 'open';
  readonly surface?: Draft['surface'];
  readonly apply: Apply;
}

export type Apply = (draft: Draft, random: SeededRandom, world: World) => void;

/** Changes some parts of a draft. */
export const change =
  (make: (...given: Parameters<Apply>) => Partial<Draft>): Apply =>
  (...given) =>
    void Object.assign(given[0], make(...given));

/** Adds headers after those that are there. */
export const add = (name: string, ...values: string[]): Apply =>
  change(({ headers }) => ({ headers: [...headers, ...values.map((value) => ({ name, value }))] }));

export function mutations(
  kind: MutationKind,
  effect: Mutation['effect'],
  applies: readonly Apply[],
  surface?: Draft['surface'],
): Mutation[] {
  return applies.map((apply) => ({ kind, effect, apply, ...(surface && { surface }) }));
}

/** UTF-8 bytes as text, one character per byte. */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1');
