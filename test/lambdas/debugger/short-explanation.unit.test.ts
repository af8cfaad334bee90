import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bodyVariants } from '#debugger/body-variants.ts';
import {
  SHORT_BODY_BYTES,
  SHORT_TRIES,
  shortAttempts,
  shortExplanation,
} from '#debugger/short-explanation.ts';
import type { SignedInput } from '#debugger/signature-proof.ts';
import { SPELLINGS, writeJsonText } from '#debugger/write-json-text.ts';
import { type JsonText, readJsonText } from '#model/json-text.ts';
import { anyCodePoint } from '../../any-text.ts';
import { GENERATED } from './generated-mistakes.ts';
import { made, NOW, nestedBody, SECRET, TIMESTAMP } from './signed-cases.ts';

/** The mistakes that it must name; it may name others. */
const KNOWN = [
  'the body alone',
  'no dot',
  'the body first',
  '":" between',
  '"\\n" between',
  'zeros for milliseconds',
  'the clock read -1 s apart',
  'echo',
  'newline cut',
  'CRLF to LF',
  'LF to CRLF',
  'an object',
  'compact',
  'Python',
  'PHP',
  'sorted',
  '2 spaces',
  '4 spaces',
  'JavaScript',
  '"\\n" after the secret',
  'a secret stored with a space',
  'no prefix',
  'an empty setting',
  'the previous secret, ended',
  'base64',
  'hex of the hex',
];

describe('the short explanation', () => {
  test.each(KNOWN)('names the mistake: %s', (title) => {
    const found = GENERATED.find((each) => each.title === title);
    expect(found).toBeDefined();
    if (found) expect(shortExplanation(found.input, found.secrets, NOW)).toBe(found.mistakes[0]);
  });

  // mistakes.unit.test.ts shows that the long one names exactly these.
  test('says nothing that the long one does not say', () => {
    for (const { input, secrets, title, mistakes } of GENERATED) {
      const name = shortExplanation(input, secrets, NOW);
      expect([title, mistakes]).toEqual([title, name ? expect.arrayContaining([name]) : mistakes]);
    }
  });

  test('knows no other form’s secret', () => {
    const found = GENERATED.find((each) => each.title === 'another form’s secret');
    expect(found && shortExplanation(found.input, found.secrets, NOW)).toBeUndefined();
  });

  test('tries the same number of bytes, whatever the slug’s configuration', () => {
    const anySecrets = fc.record(
      {
        current: fc.string({ minLength: 1 }),
        previous: fc.record({ secret: fc.string({ minLength: 1 }), endsAtMilliseconds: fc.nat(2 * NOW) }),
      },
      { requiredKeys: [] },
    );
    const anyBody = fc.oneof(
      fc.json().map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 99 }),
    );
    const lengths = (input: SignedInput, secrets: Parameters<typeof shortAttempts>[1]) =>
      shortAttempts(input, secrets, NOW).map(({ body, shape, timestamp, key }) => [
        key.keying,
        shape.before.length + body.bytes.length + timestamp.text.length + shape.after.length,
      ]);
    fc.assert(
      fc.property(anyBody, anySecrets, (body, secrets) => {
        const input = { timestamp: TIMESTAMP, signature: 'ab'.repeat(32), body };
        const tried = lengths(input, secrets);
        expect(tried).toHaveLength(SHORT_TRIES);
        expect(tried).toEqual(lengths(input, {}));
      }),
    );
  });

  test('finds nothing without a secret, even for a signature with an empty key', () => {
    const { input } = made('', [], { key: '' });
    expect(shortExplanation(input, { current: SECRET }, NOW)).toBe('secret_empty');
    expect(shortExplanation(input, {}, NOW)).toBeUndefined();
  });

  test('finds nothing for a valid signature, or for one with a previous secret that is still valid', () => {
    const previous = { secret: 'old', endsAtMilliseconds: NOW + 1 };
    expect(shortExplanation(made('', [], {}).input, { current: SECRET }, NOW)).toBeUndefined();
    const { input } = made('', [], { key: 'old' });
    expect(shortExplanation(input, { current: SECRET, previous }, NOW)).toBeUndefined();
  });

  test('is for bodies up to 8 KB', () => {
    const bodyOf = (length: number) => `"${'x'.repeat(length - 2)}"`;
    const explain = (body: string) =>
      shortExplanation(made('', [], { body, message: body }).input, { current: SECRET }, NOW);
    expect(explain(bodyOf(SHORT_BODY_BYTES))).toBe('message_body_alone');
    expect(explain(bodyOf(SHORT_BODY_BYTES + 1))).toBeUndefined();
  });
});

const COMPACT = { comma: ',', colon: ':' };
const TWO = { comma: ',', colon: ': ', indent: '  ' };

function rewrite(
  text: string,
  spelling: keyof typeof SPELLINGS,
  layout: typeof COMPACT = COMPACT,
  sorted = false,
) {
  const json = readJsonText(text);
  return (
    json &&
    writeJsonText(json, { layout, spell: SPELLINGS[spelling].spell, sorted }, Number.POSITIVE_INFINITY)
  );
}

describe('JSON as it was written', () => {
  test('is written as JSON.stringify writes it, from any layout', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
        const value: unknown = JSON.parse(json);
        const sent = JSON.stringify(value, null, indent);
        expect(rewrite(sent, 'plain')).toBe(JSON.stringify(value));
        expect(rewrite(sent, 'plain', TWO)).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  test('means the same in every spelling and order', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: anyCodePoint }), fc.boolean(), (json, sorted) => {
        for (const spelling of Object.keys(SPELLINGS) as (keyof typeof SPELLINGS)[]) {
          expect(JSON.parse(rewrite(json, spelling, COMPACT, sorted) as string)).toEqual(JSON.parse(json));
        }
      }),
    );
  });

  test('keeps numbers, repeated keys and numeric keys as they are', () => {
    expect(rewrite('{ "b": 1.0, "1": 1e3, "b": 12345678901234567890 }', 'plain')).toBe(
      '{"b":1.0,"1":1e3,"b":12345678901234567890}',
    );
  });

  test.each([
    ['ascii', '"\\u00eb\\ud83d\\ude00/<\\u007f\\"\'"'],
    ['php', '"\\u00eb\\ud83d\\ude00\\/<\\u007f\\"\'"'],
    ['slashes', '"ë😀\\/<\u007f\\"\'"'],
    ['html', '"ë😀/\\u003c\u007f\\"\'"'],
    ['dotnet', '"\\u00EB\\uD83D\\uDE00/\\u003C\\u007F\\u0022\\u0027"'],
  ] as const)('is spelt %s', (spelling, expected) => {
    expect(rewrite(JSON.stringify('ë😀/<\u007f"\''), spelling)).toBe(expected);
  });

  test('stops writing at the longest length allowed, and fills it exactly', () => {
    const json = readJsonText(nestedBody(8 * 1024)) as JsonText;
    let spelt = 0;
    const spell = (token: string) => {
      spelt += 1;
      return token;
    };
    const writing = { layout: TWO, spell, sorted: false };
    expect(writeJsonText(json, writing, 10_000)).toBeUndefined();
    // Each is on its own line, after 198 spaces.
    expect(spelt).toBeLessThan(10_000 / 198);

    const whole = writeJsonText(json, writing, Number.POSITIVE_INFINITY) as string;
    expect(writeJsonText(json, writing, whole.length)).toBe(whole);
    expect(writeJsonText(json, writing, whole.length - 1)).toBeUndefined();
  });

  test.each(['', '{', '{"a":}', '\ufeff{}', '['.repeat(200) + ']'.repeat(200)])(
    'is not read from %j',
    (text) => {
      expect(readJsonText(text)).toBeUndefined();
    },
  );
});

const KB = 1024;
const BODIES = {
  'nested arrays': nestedBody,
  'nested objects': (bytes: number) =>
    `${'{"a":'.repeat(90)}{${Array(Math.floor((bytes - 600) / 7)).fill('"a":""')}}${'}'.repeat(90)}`,
  'numbers that JavaScript writes longer': (bytes: number) =>
    `[${Array(Math.floor(bytes / 5) - 1).fill('1e20')}]`,
  'characters that are escaped': (bytes: number) => JSON.stringify('\u007f'.repeat(bytes - 2)),
};

/** Bytes that anybody can make the service write and hash. Not time, which depends on the machine. */
describe('the bytes that are written to explain a signature', () => {
  describe.each(Object.entries(BODIES))('%s', (_, bodyOf) => {
    test('are at most 48 times the body before authentication', () => {
      const body = Buffer.from(bodyOf(8 * KB));
      const tried = shortAttempts({ timestamp: TIMESTAMP, signature: '', body }, { current: SECRET }, 0);
      expect(sum(tried.map((attempt) => attempt.body.bytes.length))).toBeLessThan(48 * 8 * KB);
    });

    test.each([8, 16, 128])('are at most six times %i KB in each variant of the debugger', (kilobytes) => {
      const body = Buffer.from(bodyOf(kilobytes * KB));
      const lengths = bodyVariants(body).map(({ bytes }) => bytes.length);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(6 * kilobytes * KB);
      expect(lengths.length).toBeGreaterThan(10);
    });
  });
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
