import { sign } from '#conformance/world/submission.ts';
import type { SeededRandom } from '../../random.ts';
import {
  type Apply,
  add,
  change,
  type Draft,
  dropHeader,
  headerValue,
  mutations,
  setHeader,
  signatureOf,
  utf8,
} from '../draft.ts';

const authorization =
  (make: (token: string) => string): Apply =>
  (draft) =>
    setHeader(draft, 'Authorization', ({ tenant }) => make(tenant.token));

const changed = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === 'x' ? 'y' : 'x') + text.slice(at + 1);

const TOKEN_HARMLESS = [
  authorization((token) => `bearer ${token}`),
  authorization((token) => `BEARER    ${token}   `),
  change((_draft, random, { tenants }) => ({ tenant: random.pick(tenants) })),
];

const TOKEN_FATAL: Apply[] = [
  (draft) => dropHeader(draft, 'Authorization'),
  authorization(() => ''),
  authorization(() => 'Bearer'),
  authorization((token) => token),
  authorization((token) => `Basic ${Buffer.from(`x:${token}`).toString('base64')}`),
  authorization((token) => `Bearer:${token}`),
  authorization((token) => `Bearer\t${token}`),
  authorization((token) => `Bearer "${token}"`),
  authorization((token) => `Bearer ${token},`),
  authorization((token) => `Bearer ${token} ${token}`),
  authorization((token) => `Bearer ${token}\u00e9`),
  authorization((token) => `Bearer ${token}\u00a0x`),
  authorization((token) => `Bearer ${token.toUpperCase()}`),
  authorization((token) => `Bearer ${token.slice(0, -1)}`),
  authorization((token) => `Bearer ${token}0`),
  authorization((token) => `Bearer ${token.replace('ingt_srv_', 'ingt_brw_')}`),
  authorization((token) => `Bearer ${token.replace('ingt_srv_', '')}`),
  authorization(() => 'Bearer ingt_srv_'),
  authorization(() => `Bearer ingt_srv_${'a'.repeat(503)}`),
  authorization(() => `Bearer ${'a'.repeat(9000)}`),
  authorization(() => utf8('Bearer ключ')),
  (draft, random) =>
    setHeader(draft, 'Authorization', ({ tenant }) => {
      const { token } = tenant;
      return `Bearer ${changed(token, random.below(token.length))}`;
    }),
  (draft) => {
    draft.headers.push({ name: 'authorization', value: headerValue(draft, 'Authorization') });
  },
  (draft, random, { deadTokens }) => setHeader(draft, 'Authorization', `Bearer ${random.pick(deadTokens)}`),
  (draft) => setHeader(draft, 'Authorization', ({ tenant }) => `Bearer ${tenant.secret}`),
  (draft) => {
    draft.target = `${draft.target}?access_token=${draft.tenant.token}`;
    dropHeader(draft, 'Authorization');
  },
  (draft) => {
    dropHeader(draft, 'Authorization');
    setHeader(draft, 'X-SVC-Timestamp', ({ timestamp }) => timestamp);
    setHeader(draft, 'X-SVC-Signature', signatureOf);
  },
];

const signature =
  (make: (hex: string, draft: Draft) => string): Apply =>
  (draft) =>
    setHeader(draft, 'X-SVC-Signature', (made) => make(signatureOf(made), made));

const timestamp = (make: (now: number) => string) => change(({ madeAt }) => ({ timestamp: make(madeAt) }));

const SIGNATURE_HARMLESS: Apply[] = [
  signature((hex) => `sha256=${hex}`),
  signature((hex) => hex.toUpperCase()),
  signature((hex) => `  sha256=${hex.toUpperCase()}  `),
  timestamp((now) => `000${now}`),
  timestamp((now) => String(now - 280)),
  timestamp((now) => String(now + 280)),
  add('Authorization', 'Bearer nonsense'),
];

const SIGNATURE_FATAL: Apply[] = [
  (draft) => dropHeader(draft, 'X-SVC-Signature'),
  signature(() => ''),
  signature(() => 'sha256='),
  signature((hex) => `SHA256=${hex}`),
  signature((hex) => `sha256=sha256=${hex}`),
  signature((hex) => `sha512=${hex}`),
  signature((hex) => `v1=${hex}`),
  signature((hex) => hex.slice(1)),
  signature((hex) => `${hex}0`),
  signature((hex) => `${hex} ${hex}`),
  signature((hex) => `${hex},${hex}`),
  signature((hex) => `0x${hex}`),
  signature((hex) => `g${hex.slice(1)}`),
  signature((hex) => Buffer.from(hex, 'hex').toString('base64')),
  signature(() => '0'.repeat(64)),
  signature(() => utf8('а'.repeat(64))),
  signature((hex) => [...hex].reverse().join('')),
  signature((_, { body, tenant }) => sign(tenant.secret, '', body)),
  signature((_, { body, tenant, timestamp: at }) => sign(`${tenant.secret}\n`, at, body)),
  signature((_, { body, timestamp: at }) => sign('', at, body)),
  signature((_, { body, tenant, timestamp: at }) => sign(tenant.secret, `${at}.`, body)),
  (draft, random) => {
    const at = random.below(64);
    setHeader(draft, 'X-SVC-Signature', (made) => changed(signatureOf(made), at));
  },
  (draft) => {
    draft.headers.push({ name: 'x-svc-signature', value: signatureOf });
  },
  (draft) => {
    draft.headers.push({ name: 'x-svc-timestamp', value: (made) => made.timestamp });
  },
  change((draft) => ({ signedBody: Buffer.concat([draft.body, Buffer.from('\n')]) })),
  change(() => ({ signedBody: Buffer.from(JSON.stringify({ changed: true })) })),
  change((draft, random, { tenants }) => {
    const others = tenants.filter(({ slug }) => slug !== draft.tenant.slug);
    return { target: `/api/v1/ingest/${random.pick(others).slug}` };
  }),
  (draft, random, { deadForms }) => {
    draft.tenant = { ...draft.tenant, ...random.pick(deadForms) };
    draft.target = `/api/v1/ingest/${draft.tenant.slug}`;
  },
  change((draft) => ({ target: `/api/v1/ingest/${draft.tenant.slug.toUpperCase()}` })),
  change((draft) => ({ target: `/api/v1/ingest/${draft.tenant.slug.slice(0, -1)}` })),
  (draft) => dropHeader(draft, 'X-SVC-Timestamp'),
  (draft) => setHeader(draft, 'X-SVC-Timestamp', String(draft.madeAt + 1)),
  timestamp(() => ''),
  timestamp(() => '0'),
  timestamp((now) => String(now - 320)),
  timestamp((now) => String(now + 320)),
  timestamp((now) => String(now * 1000)),
  timestamp((now) => `${now}.0`),
  timestamp((now) => `${now}e0`),
  timestamp((now) => `+${now}`),
  timestamp((now) => `-${now}`),
  timestamp((now) => `0x${now.toString(16)}`),
  timestamp((now) => `${now} ${now}`),
  timestamp((now) => `${now},`),
  timestamp((now) => new Date(now * 1000).toISOString()),
  timestamp((now) =>
    utf8(String(now).replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))),
  ),
  timestamp(() => '9'.repeat(400)),
  timestamp(() => 'NaN'),
  timestamp(() => '__proto__'),
];

export const CREDENTIALS = [
  ...mutations('credentials', 'harmless', TOKEN_HARMLESS, '1a'),
  ...mutations('credentials', 'fatal', TOKEN_FATAL, '1a'),
  ...mutations('credentials', 'harmless', SIGNATURE_HARMLESS, '1b'),
  ...mutations('credentials', 'fatal', SIGNATURE_FATAL, '1b'),
];

const KEY_HEADER = 'X-SVC-Idempotency-Key';

const key =
  (make: (random: SeededRandom) => string): Apply =>
  (draft, random) =>
    setHeader(draft, KEY_HEADER, make(random));

const KEY_HARMLESS: Apply[] = [
  key((random) => random.text(36)),
  key((random) => random.text(255)),
  key((random) => `${random.text(20)} with  blanks`),
  key((random) => `${random.text(12)}\u00ff\u00e9\u0080`),
  key((random) => utf8(`${random.text(12)}漢😀`)),
  key((random) => `\u00ff`.repeat(235) + random.text(20)),
  key((random) => `   ${random.text(36)}\t `),
  key((random) => `${random.text(9)},"';--${'\\'}<>{}%00`),
  // Few enough to repeat.
  key((random) => random.text(1)),
  key((random) => random.pick(['__proto__', 'constructor', 'null', '0', 'undefined'])),
  key((random) => `again-${random.below(40)}`),
  (draft, random) => {
    setHeader(draft, KEY_HEADER, random.text(36));
    draft.copies = random.between(2, 5);
  },
  (draft, random) => {
    setHeader(draft, KEY_HEADER, `crowd-${random.below(20)}`);
    draft.copies = random.between(2, 5);
  },
];

const KEY_FATAL: Apply[] = [
  key(() => ''),
  key(() => ' \t '),
  key((random) => random.text(256)),
  key((random) => random.text(random.between(257, 9000))),
  key(() => utf8('é'.repeat(128))),
  (draft, random) => {
    const value = random.text(20);
    draft.headers.push({ name: KEY_HEADER, value }, { name: KEY_HEADER.toLowerCase(), value });
  },
  (draft, random) => {
    draft.headers.push({ name: KEY_HEADER, value: '' }, { name: KEY_HEADER, value: random.text(20) });
  },
];

export const IDEMPOTENCY = [
  ...mutations('idempotency', 'harmless', KEY_HARMLESS),
  ...mutations('idempotency', 'fatal', KEY_FATAL),
];
