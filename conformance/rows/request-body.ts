import { gzipSync } from 'node:zlib';
import { expectAccepted } from '../checks/expectations.ts';
import { BOTH, DECIDED, type Section, type Sent, type Trial } from '../row.ts';
import { jsonOf, requestFor } from '../world/submission.ts';
import { CAUSES } from './causes.ts';

const bodies = (byName: Readonly<Record<string, string | Buffer>>): Record<string, Sent> =>
  Object.fromEntries(Object.entries(byName).map(([name, body]) => [name, { body }]));

/** The stored text is the text that was sent, not what a parser made of it. */
const OBJECTS = bodies({
  'an empty object': '{}',
  'keys of any kind': '{"name":"Zoë Ångström 李雷 🚀","a key with spaces":true,"":null,"note":"naïve"}',
  'CRLF line endings': '{\r\n  "a": 1\r\n}\r\n',
  'white space around': ' \t\n{"a":1}\n\n',
  'duplicate keys': '{"a":1,"a":2}',
  'long numbers': `{"a":12345678901234567890.10,"n":${'9'.repeat(400)},"f":0.${'1'.repeat(400)},"e":1e400,"z":-0}`,
  'keys like __proto__': '{"__proto__":{"x":1},"constructor":"y","toString":null}',
  'an empty key': '{"":"empty"}',
  'lone surrogates, escaped': '{"s":"\\ud800","t":"\\udfff\\ud800"}',
  'a NUL, escaped': '{"s":"a\\u0000b"}',
  'nested values': '{"a":{"b":{"c":[1,{"d":null}]}}}',
  '100,000 nested brackets': `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
  '10,000 keys': JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i]))),
});

const NOT_OBJECTS: Record<string, Sent> = {
  ...bodies({
    nothing: '',
    null: 'null',
    'an array': '[{"email":"a@example.com"}]',
    'a string': '"lead"',
    'truncated base64': 'eyJlbWFpbCI6ImFkYUB',
    'a truncated object': '{"email":"ada@example.com"',
    '100,000 open brackets': '['.repeat(100_000),
    'a byte order mark': '\uFEFF{"a":1}',
    'form data': 'email=ada%40example.com',
    'bytes that are not UTF-8': Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    'UTF-16': Buffer.from('{"a":1}', 'utf16le'),
    'random bytes': Buffer.from(Array.from({ length: 500 }, (_, i) => (i * 73) % 256)),
    'gzip without the header': gzipSync('{"a":1}'),
  }),
  'gzip with the header': { body: gzipSync('{"a":1}'), headers: { 'Content-Encoding': 'gzip' } },
};

async function checkChunked({ world, surface, sender }: Trial): Promise<void> {
  const request = requestFor(surface, sender, {}, world.now);
  // An empty list takes the length off.
  const headers = { ...request.headers, 'Content-Length': [], 'Transfer-Encoding': 'chunked' };
  expectAccepted(await world.send({ ...request, headers }));
}

export const REQUEST_BODY: Section = {
  id: 'body',
  title: 'Endpoints: request body',
  rows: [
    {
      id: 'objects',
      rule: 'A JSON object with arbitrary keys is accepted, and stored exactly as sent',
      surfaces: BOTH,
      examples: OBJECTS,
      expect: 'stored',
    },
    {
      id: 'not-objects',
      rule: 'Anything that is not a JSON object in UTF-8 is rejected',
      surfaces: BOTH,
      note: DECIDED,
      examples: NOT_OBJECTS,
      expect: 'rejected',
    },
    {
      id: 'largest',
      rule: '128 KB: 131,072 bytes are accepted, and stored exactly as sent',
      surfaces: BOTH,
      examples: bodies({
        'one byte per character': jsonOf(131_072),
        'three bytes per character': `{"padding":"${'€'.repeat(43_686)}"}`,
      }),
      expect: 'stored',
    },
    { ...CAUSES.bodyTooLarge, rule: '131,073 bytes are rejected' },
    {
      id: 'far-too-large',
      rule: '200,000 bytes, 1 MB and 5 MB are rejected',
      surfaces: BOTH,
      examples: bodies({
        '200,000 bytes': jsonOf(200_000),
        '1 MB': jsonOf(1_000_000),
        '5 MB': jsonOf(5_000_000),
      }),
      expect: 'rejected',
    },
    { ...CAUSES.bodyTooLargeToParse, rule: 'Oversized bodies are rejected before any parsing' },
    {
      id: 'chunked',
      rule: 'A body sent in chunks is accepted',
      surfaces: BOTH,
      note: DECIDED,
      check: checkChunked,
    },
  ],
};
