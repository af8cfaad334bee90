import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { explainSignature } from '#debugger/explain-signature.ts';
import type { SignedInput } from '#debugger/judge-proof.ts';
import {
  SHORT_BODY_BYTES,
  SHORT_TRIES,
  shortAttempts,
  shortExplanation,
} from '#debugger/short-explanation.ts';
import { GENERATED } from './generated-mistakes.ts';
import { made, NOW, SECRET, TIMESTAMP } from './made-case.ts';

/** What it must know. The rest it may know. */
const KNOWN = [
  'the body alone',
  'no dot',
  'the body first',
  '":" between',
  '"\\n" between',
  'noughts for milliseconds',
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

  test('says nothing that the long one does not say', () => {
    for (const { input, secrets, title } of GENERATED) {
      const name = shortExplanation(input, secrets, NOW);
      const names = explainSignature(input, secrets, NOW).mistakes.map((each) => each.name);
      expect([title, names]).toEqual([title, name ? expect.arrayContaining([name]) : names]);
    }
  });

  test('knows no other form’s secret', () => {
    const found = GENERATED.find((each) => each.title === 'another form’s secret');
    expect(found && shortExplanation(found.input, found.secrets, NOW)).toBeUndefined();
  });

  test('makes the same tries over the same lengths, whatever the slug’s configuration', () => {
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

  test('finds nothing for a right signature, nor for one by a previous secret that is still valid', () => {
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

  test('never explains what no mistake explains: 1,000 random mismatches', () => {
    for (let run = 0; run < 1000; run += 1) {
      const body = Buffer.from(JSON.stringify({ run }));
      const input = { timestamp: TIMESTAMP, signature: randomBytes(32).toString('hex'), body };
      expect(shortExplanation(input, { current: SECRET }, NOW)).toBeUndefined();
    }
  });
});
