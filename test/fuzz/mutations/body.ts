import type { SeededRandom } from '../../random.ts';
import { change, mutations } from '../draft.ts';

const MAXIMUM = 131_072;

const body = (make: (random: SeededRandom) => string | Buffer) =>
  change((_draft, random) => ({ body: Buffer.from(make(random) as string) }));

/** A JSON object of exactly this many bytes. */
function padded(length: number): string {
  return `{"pad":"${'x'.repeat(length - 10)}"}`;
}

export function anyValue(random: SeededRandom, depth: number): unknown {
  const kind = random.below(depth > 4 ? 5 : 7);
  if (kind === 0) return random.pick([0, -0, 1e308, -1.5, 2 ** 53, Number.MIN_VALUE]);
  if (kind === 1) return random.pick([true, false, null]);
  if (kind === 2) return random.pick(TEXTS);
  if (kind <= 4) return random.text(random.below(60));
  const values = Array.from({ length: random.below(5) }, () => anyValue(random, depth + 1));
  return kind === 5 ? values : Object.fromEntries(values.map((value) => [random.pick(KEYS), value]));
}

const TEXTS = [
  '',
  '\0',
  '\u2028\u2029',
  '漢字 😀 é ß',
  '\u202egnp.exe',
  'ada@example.com',
  '=HYPERLINK("http://x")',
  "'; DROP TABLE leads; --",
  '<script>alert(1)</script>',
  '+49 30 1234567',
  'http://[::1]/%zz',
  '\ud800',
];
export const KEYS = [
  ...'name email phone company message __proto__ constructor toString length'.split(' '),
  ...['', ' '],
  ...['Ünïcödé', '\0', 'a.b[0]', '$where', 'x'.repeat(300), '0', '-1', '_test', 'leadId', 'workspaceId'],
];

const HARMLESS = [
  ...Array.from({ length: 12 }, () =>
    body((random) =>
      JSON.stringify(
        Object.fromEntries(
          Array.from({ length: random.below(12) }, () => [random.pick(KEYS), anyValue(random, 0)]),
        ),
      ),
    ),
  ),
  body(() => '{}'),
  body(() => ' \r\n\t{ "a" : 1 }\r\n\t '),
  body(() => '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
  body(() => '{"a":1,"a":2,"a":{"a":3}}'),
  body(() => '{"\\u0061":"\\ud800","b":"\\udc00\\ud800","c":"\\u0000"}'),
  body(() => `{"n":1e400,"m":-1e-400,"d":${'9'.repeat(10_000)}.${'9'.repeat(10_000)}}`),
  body((random) => {
    const depth = random.pick([33, 1000, 10_000, 60_000]);
    return `{"deep":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  }),
  body((random) => {
    const depth = random.pick([33, 1000, 20_000]);
    return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  }),
  body(() => `{${Array.from({ length: 9000 }, (_, at) => `"k${at}":${at}`).join()}}`),
  body(() => `{"${'k'.repeat(60_000)}":"${'v'.repeat(60_000)}"}`),
  body(() => `{"email":"${'@'.repeat(60_000)}","message":"${'http://'.repeat(9000)}"}`),
  body(() => `{"message":"${'\\ufdfa'.repeat(20_000)}"}`),
  body(() => `{"message":"${'漢'.repeat(43_000)}"}`),
  body(() => padded(MAXIMUM)),
  body(() => padded(MAXIMUM - 1)),
  body(() => padded(MAXIMUM - 2)),
];

const FATAL = [
  ...[
    '',
    ' ',
    '[]',
    '[{}]',
    'null',
    'true',
    '0',
    '"{}"',
    '{',
    '}',
    '{}{}',
    '{} {}',
    '{},',
    '{"a":1,}',
    "{'a':1}",
  ],
  ...[
    '{a:1}',
    '{"a":NaN}',
    '{"a":01}',
    '{"a":0x1}',
    '{"a":undefined}',
    '{/**/}',
    '//\n{}',
    '{"a":"\n"}',
    '{"a":"\\x"}',
  ],
  ...[
    '{"a"}',
    '{"a":}',
    '\0{}',
    '{}\0',
    '{"a":"\0"}',
    '\ufeff{}',
    '\u00a0{}',
    'name=Ada&email=a%40b.c',
    '<lead/>',
  ],
  ...['[['.repeat(60_000), '{"a":'.repeat(20_000), '"', '{"a":"'],
].map((text) => body(() => text));

const FATAL_BYTES = [
  Buffer.from([0xff, 0xfe]),
  Buffer.from('{"a":"\u00ff"}', 'latin1'),
  Buffer.from('{"a":1}', 'utf16le'),
  Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
  Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
  Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xf4, 0x90, 0x80, 0x80]), Buffer.from('"}')]),
  Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xe6, 0xbc])]),
].map((bytes) => body(() => bytes));

const FATAL_RANDOM = [
  body((random) => random.bytes(random.between(1, 300))),
  change((draft, random) => ({ body: draft.body.subarray(0, random.below(draft.body.length)) })),
  body(() => padded(MAXIMUM + 1)),
  body(() => padded(MAXIMUM + 2)),
  body(() => padded(MAXIMUM * 2)),
];

const MEGABYTE = 1024 * 1024;
const ENORMOUS = [
  ...[4.4, 4.5, 4.6, 6, 6.1].map((size) => body(() => padded(Math.floor(size * MEGABYTE)))),
  ...[-1, 0, 1].map((more) => body(() => padded(10 * MEGABYTE + more))),
];

export const BODY = [
  ...mutations('body', 'harmless', HARMLESS),
  ...mutations('body', 'fatal', [...FATAL, ...FATAL_BYTES, ...FATAL_RANDOM]),
];

/** Rarely tried: each takes as long as a thousand others. */
export const ENORMOUS_BODY = mutations('body', 'fatal', ENORMOUS);
