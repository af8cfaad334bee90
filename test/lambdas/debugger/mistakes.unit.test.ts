import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hmac } from '#debugger/attempts.ts';
import { differenceOf } from '#debugger/difference.ts';
import { debugSignature, explainSignature, readSignedRequest } from '#debugger/explain-signature.ts';
import { MISTAKE_NAMES, MISTAKES } from '#debugger/mistakes.ts';
import { GENERATED } from './generated-mistakes.ts';
import { dotted, type Made, made, NOW, SECRET, TIMESTAMP } from './signed-cases.ts';

/** Explained once for all tests: each takes up to two thousand digests. */
const EXPLAINED = GENERATED.map((each) => ({
  ...each,
  explained: explainSignature(each.input, each.secrets, NOW),
}));

describe('a mistake is named', () => {
  test.each(EXPLAINED)('$mistakes: $title', ({ explained, mistakes }) => {
    expect(explained.decision).not.toBe('accepted');
    expect(explained.mistakes.map(({ name }) => name)).toEqual(mistakes);
  });

  test('and a case is generated for each of them', () => {
    const generated = new Set(GENERATED.flatMap(({ mistakes }) => mistakes));
    expect(MISTAKE_NAMES.filter((name) => !generated.has(name))).toEqual([]);
  });

  test('in whole sentences without a secret', () => {
    expect(MISTAKE_NAMES.every((name) => /^[a-z0-9_]+$/.test(name))).toBe(true);
    for (const text of Object.values(MISTAKES)) expect(text).toMatch(/^[A-Z].*[.]$/s);
    for (const { explained } of EXPLAINED) {
      expect(JSON.stringify(explained)).not.toContain(SECRET.slice(6));
    }
  });

  test('with the form that has the secret, the indent, or the time when the previous secret ended', () => {
    const explain = (title: string) => EXPLAINED.find((each) => each.title === title)?.explained.mistakes[0];
    expect(explain('another form’s secret')).toMatchObject({
      formId: 'form_b',
      explanation: `${MISTAKES.secret_of_another_form} It belongs to the form “Contact”.`,
    });
    expect(explain('1 space')?.explanation).toBe(
      `${MISTAKES.body_respaced} The signed body is indented by one space.`,
    );
    expect(explain('compact')?.explanation).toBe(MISTAKES.body_respaced);
    expect(explain('the previous secret, ended')?.explanation).toMatch(
      /It ended at 2027-01-15T07:59:00\.000Z\.$/,
    );
  });
});

test.each(['sha256', 'sha1', 'sha384', 'sha512', 'md5'] as const)(
  'HMAC with %s equals that of Node',
  (algorithm) => {
    const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(anyBytes, anyBytes, anyBytes, (key, first, second) => {
        const expected = createHmac(algorithm, key).update(first).update(second).digest('hex');
        expect(hmac(algorithm, key, [first, second]).toString('hex')).toBe(expected);
      }),
    );
  },
);

function explain(making: Made) {
  const { input, secrets } = made('', [], making);
  return explainSignature(input, secrets, NOW);
}

/** Reverses the escaping of `printed`. */
function bytesOf(printed: string): Buffer {
  const named: Record<string, string> = { n: '\n', r: '\r', t: '\t', '\\': '\\' };
  const text = printed.replace(/\\(?:x([0-9a-f]{2})|(.))/g, (_, hex, name) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (named[name] as string),
  );
  return Buffer.from(text, 'latin1');
}

describe('the difference', () => {
  test('shows the newline that was signed and not sent', () => {
    expect(explain({ body: '{"a":1}', message: dotted('{"a":1}\n') }).difference).toEqual({
      atByte: 18,
      fromByte: 0,
      expected: `${TIMESTAMP}.{"a":1}`,
      signed: `${TIMESTAMP}.{"a":1}\\n`,
      signedByteLength: 19,
    });
  });

  test('shows only the surroundings in a large body', () => {
    const body = `{"a":"${'x'.repeat(5_000)}"}`;
    const { difference } = explain({ body, message: dotted(`${body}\n`) });
    expect(difference).toEqual({
      atByte: 11 + body.length,
      fromByte: 11 + body.length - 32,
      expected: `${'x'.repeat(30)}"}`,
      signed: `${'x'.repeat(30)}"}\\n`,
      signedByteLength: 11 + body.length + 1,
    });
  });

  test('is shown whenever the message was wrong, and that message gives the signature', () => {
    let seen = 0;
    for (const { input, title, explained } of EXPLAINED) {
      const { difference, mistakes } = explained;
      const ofMessage = mistakes.some(({ name }) => /^(?:message|body)_/.test(name));
      if (ofMessage) expect([title, difference]).toEqual([title, expect.anything()]);
      const digest = /^(?:sha256=)?([0-9a-f]{64})$/.exec(input.signature ?? '')?.[1];
      if (!difference || difference.fromByte > 0 || !digest) continue;
      const signed = bytesOf(difference.signed);
      if (
        signed.length < difference.signedByteLength ||
        mistakes.some(({ name }) => !/^(?:message|body)_/.test(name))
      )
        continue;
      seen += 1;
      expect([title, createHmac('sha256', SECRET).update(signed).digest('hex')]).toEqual([title, digest]);
    }
    expect(seen).toBeGreaterThan(20);
  });

  test('is absent if only the key, the encoding or the clock is wrong, or if nothing explains it', () => {
    for (const making of [
      { key: `${SECRET}\n` },
      { header: (digest: Buffer) => digest.toString('base64') },
      { timestamp: '1700000000' },
      { header: () => 'ab'.repeat(32) },
      {},
    ]) {
      expect(explain(making)).not.toHaveProperty('difference');
    }
  });

  test('begins at the first byte that differs', () => {
    const bytes = fc.uint8Array({ maxLength: 300, max: 3 });
    fc.assert(
      fc.property(bytes, bytes, bytes, (start, one, other) => {
        const expected = Buffer.concat([start, one]);
        const signed = Buffer.concat([start, other]);
        const found = differenceOf(expected, signed);
        if (!found) return expect(expected.equals(signed)).toBe(true);
        const { atByte, fromByte } = found;
        expect(expected.subarray(0, atByte).equals(signed.subarray(0, atByte))).toBe(true);
        expect(expected[atByte]).not.toBe(signed[atByte]);
        for (const [printed, whole] of [
          [found.expected, expected],
          [found.signed, signed],
        ] as const) {
          expect(bytesOf(printed).equals(whole.subarray(fromByte, atByte + 160))).toBe(true);
        }
      }),
    );
  });
});

const KNOWN = {
  form: { formId: 'f', workspaceId: 'w', slug: 's', name: 'Form', active: true, createdAt: '' },
  secret: { slug: 's', formId: 'f', secret: 'whsec_one' },
  others: [],
  workspace: { status: 'active' as const },
};

function debug(body: string, known: object = {}) {
  const signature = createHmac('sha256', 'whsec_one')
    .update(`${TIMESTAMP}.`)
    .update(body, 'latin1')
    .digest('hex');
  const bodyBase64 = Buffer.from(body, 'latin1').toString('base64');
  const signed = readSignedRequest({ timestamp: TIMESTAMP, signature, bodyBase64 });
  return debugSignature(signed, { ...KNOWN, ...known }, NOW);
}

describe('a body whose signature is right', () => {
  test.each([
    ['{"a":1}', 'accepted'],
    ['{"a":1', 'body_invalid_json'],
    ['', 'body_invalid_json'],
    ['{"a":"\xe9"}', 'body_invalid_json'],
    ['[{"a":1}]', 'body_not_object'],
    ['null', 'body_not_object'],
  ])('is judged as the service judges it: %j is %s', (body, decision) => {
    expect(debug(body)).toMatchObject({ decision, signature: 'right', mistakes: [] });
  });

  test('is rejected first if the form is inactive or the workspace suspended', () => {
    expect(debug('[]', { form: { ...KNOWN.form, active: false } }).decision).toBe('form_inactive');
    expect(debug('[]', { workspace: { status: 'suspended' } }).decision).toBe('workspace_suspended');
  });
});

test('a body whose signature is wrong is not judged further', () => {
  expect(debug('[', { secret: { ...KNOWN.secret, secret: 'whsec_two' } }).decision).toBe(
    'signature_mismatch',
  );
});
