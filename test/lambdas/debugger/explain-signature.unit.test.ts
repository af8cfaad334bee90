import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Secrets } from '#debugger/attempts.ts';
import { explainSignature } from '#debugger/explain-signature.ts';
import type { SignedInput } from '#debugger/signature-proof.ts';
import { judgeSignedRequest } from '#submission/signed-request.ts';
import { anyText } from '../../any-text.ts';
import { NOW, SECRET, TIMESTAMP } from './signed-cases.ts';

const sign = (key: string, timestamp: string, body: Uint8Array) =>
  createHmac('sha256', key).update(`${timestamp}.`).update(body).digest();

function judge({ timestamp, signature, body }: SignedInput, { current, previous }: Secrets): string {
  const form = { slug: 's', formId: 'f', workspaceId: 'w', active: true };
  const secret = current !== undefined && {
    slug: 's',
    formId: 'f',
    secret: current,
    ...(previous && {
      previousSecret: previous.secret,
      previousEndsAtMilliseconds: previous.endsAtMilliseconds,
    }),
  };
  const verdict = judgeSignedRequest(
    {
      forms: [form],
      secrets: secret ? [secret] : [],
      workspace: { workspaceId: 'w', status: 'active', configVersion: 1 },
    },
    {
      headers: new Map([
        ['x-svc-timestamp', timestamp === undefined ? [] : [timestamp]],
        ['x-svc-signature', signature === undefined ? [] : [signature]],
      ]),
      body,
      nowMilliseconds: NOW,
    },
  );
  return verdict.rejection?.reason ?? 'accepted';
}

const shortText = anyText({ maxLength: 80 });
const anyTimestamp = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -302, max: 302 }).map((skew) => String(1_800_000_000 + skew)) },
  fc.constantFrom(undefined, '', ' ', ` ${TIMESTAMP}`, `${TIMESTAMP}.5`, `${TIMESTAMP}000`, `00${TIMESTAMP}`),
  shortText,
);
const anySecrets = fc.record(
  {
    current: fc.constantFrom('one', 'two', ''),
    previous: fc.record({
      secret: fc.constantFrom('one', 'two', 'three'),
      endsAtMilliseconds: fc.integer({ min: NOW - 1, max: NOW + 1 }),
    }),
  },
  { requiredKeys: [] },
);
const anyEncoding = fc.constantFrom<((digest: Buffer) => string | undefined)[]>(
  (digest) => digest.toString('hex'),
  (digest) => ` sha256=${digest.toString('hex').toUpperCase()} `,
  (digest) => `SHA256=${digest.toString('hex')}`,
  (digest) => digest.toString('base64'),
  (digest) => digest.toString('hex').slice(1),
  () => undefined,
  () => ' ',
);

describe('the explanation of a signature', () => {
  test('decides as the service does', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        anyTimestamp,
        fc.uint8Array({ maxLength: 60 }),
        anySecrets,
        fc.constantFrom('one', 'two', 'three', ''),
        fc.oneof(
          { weight: 8, arbitrary: anyEncoding },
          shortText.map((text) => () => text),
        ),
        (timestamp, body, secrets, key, encode) => {
          const input = { timestamp, body, signature: encode(sign(key, timestamp ?? '', body)) };
          const { decision, acceptedBy, mistakes } = explainSignature(input, secrets, NOW);
          seen.add(decision);
          expect(decision).toBe(judge(input, secrets));
          expect(acceptedBy !== undefined).toBe(decision === 'accepted');
          if (decision === 'accepted') expect(mistakes).toEqual([]);
        },
      ),
      { numRuns: 250 },
    );
    expect([...seen].sort()).toEqual([
      'accepted',
      'secret_not_configured',
      'signature_malformed',
      'signature_mismatch',
      'signature_missing',
      'timestamp_invalid',
      'timestamp_missing',
      'timestamp_out_of_window',
    ]);
  });

  test('says which of two secrets matches', () => {
    const body = Buffer.from('{}');
    const secrets = { current: 'new', previous: { secret: 'old', endsAtMilliseconds: NOW + 1 } };
    for (const [key, acceptedBy] of [
      ['new', 'current'],
      ['old', 'previous'],
    ] as const) {
      const input = { timestamp: TIMESTAMP, body, signature: sign(key, TIMESTAMP, body).toString('hex') };
      expect(explainSignature(input, secrets, NOW)).toMatchObject({
        acceptedBy,
        signature: 'right',
        tries: 0,
      });
    }
  });

  // An explanation needs a digest of 32 bytes that fits: more random ones would show nothing new.
  describe('explains no mismatch', () => {
    const body = Buffer.from('{"name":"Ada"}');
    const someSecrets = {
      current: SECRET,
      previous: { secret: 'whsec_previous_one', endsAtMilliseconds: NOW - 1 },
      others: [{ formId: 'f2', secret: 'whsec_of_another' }],
    };
    const digests: [string, (timestamp: string) => Buffer][] = [
      ...[16, 20, 32, 48, 64].map((bytes): [string, () => Buffer] => [
        `${bytes} random bytes`,
        () => randomBytes(bytes),
      ]),
      ['another body', (timestamp) => sign(SECRET, timestamp, Buffer.concat([body, Buffer.from('x')]))],
      ['an unknown key', (timestamp) => sign('whsec_nobody_has_this', timestamp, body)],
    ];

    test.each(digests)('of %s', (_, digestFor) => {
      // Every millisecond is tried for the first of these only, which takes most of the time.
      for (const [timestamp, encoding] of [
        [TIMESTAMP, 'hex'],
        [`00${TIMESTAMP}`, 'base64'],
      ] as const) {
        const input = { timestamp, body, signature: digestFor(timestamp).toString(encoding) };
        expect(explainSignature(input, someSecrets, NOW)).toMatchObject({
          mistakes: [],
          signature: 'unexplained',
        });
      }
    });
  });

  test('gives the skew only if the clock is the cause, in either direction', () => {
    const explain = (timestamp: string) => {
      const body = Buffer.from('{}');
      const signature = sign(SECRET, timestamp, body).toString('hex');
      return explainSignature({ timestamp, signature, body }, { current: SECRET }, NOW);
    };
    expect(explain('1799999699')).toMatchObject({ skewSeconds: 301, signature: 'right' });
    expect(explain('1800003600')).toMatchObject({ skewSeconds: -3600, signature: 'right' });
    expect(explain('1800000000000')).not.toHaveProperty('skewSeconds');
    expect(explain(TIMESTAMP)).not.toHaveProperty('skewSeconds');
  });

  test('shows the start of the signed string, with invisible characters escaped, and its length', () => {
    const body = Buffer.concat([Buffer.from('\ufeff{"ä\\":\t1}\r\n'), Buffer.alloc(200, 'x')]);
    const { signed } = explainSignature({ timestamp: '17', signature: undefined, body }, {}, NOW);
    expect(signed.byteLength).toBe(3 + body.length);
    expect(signed.firstBytes).toBe(`17.\\xef\\xbb\\xbf{"\\xc3\\xa4\\\\":\\t1}\\r\\n${'x'.repeat(62)}`);
  });

  test('never contains a secret or a valid signature, whatever is sent', () => {
    const body = Buffer.from('{"a":1}');
    const right = sign(SECRET, TIMESTAMP, body);
    fc.assert(
      fc.property(shortText, anyTimestamp, (signature, timestamp) => {
        const text = JSON.stringify(
          explainSignature({ timestamp, signature, body }, { current: SECRET }, NOW),
        );
        for (const kept of [SECRET, SECRET.slice(6), right.toString('hex'), right.toString('base64')]) {
          expect(text).not.toContain(kept);
        }
      }),
    );
  });

  test('finds another form’s secret among hundreds, even if the form itself has none', () => {
    const others = Array.from({ length: 300 }, (_, at) => ({
      formId: `form_${at}`,
      secret: `whsec_${at}_secret`,
    }));
    const body = Buffer.from('{"a":1}');
    const signature = sign('whsec_299_secret', TIMESTAMP, body).toString('hex');
    for (const own of [{ current: SECRET }, {}]) {
      const { mistakes } = explainSignature(
        { timestamp: TIMESTAMP, signature, body },
        { ...own, others },
        NOW,
      );
      expect(mistakes).toMatchObject([{ name: 'secret_of_another_form', formId: 'form_299' }]);
    }
  });
});

describe('the work', () => {
  const mismatch = (body: Buffer) =>
    explainSignature({ timestamp: TIMESTAMP, signature: 'ab'.repeat(32), body }, { current: SECRET }, NOW);

  test('is at most 2,000 digests for a small body, and few for a large one', () => {
    const large = JSON.stringify(
      Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`key${at}`, 'Zoë and /so on'])),
    );
    expect(mismatch(Buffer.from('{"b":"é/<","a":1.0}\n')).tries).toBeLessThanOrEqual(2000);
    expect(mismatch(Buffer.from(large.slice(0, 131_072))).tries).toBeLessThanOrEqual(200);
    const { tries } = mismatch(Buffer.from(large));
    expect(tries).toBeGreaterThan(60);
    expect(tries).toBeLessThanOrEqual(200);
  });

  test.each([
    ['brackets', '['.repeat(65_536) + ']'.repeat(65_536)],
    ['white space', `${' '.repeat(131_071)}x`],
    ['one string', JSON.stringify('\\"'.repeat(30_000))],
    ['newlines', '\n'.repeat(131_072)],
  ])('ends on 128 KB of %s', (_, text) => {
    expect(mismatch(Buffer.from(text)).mistakes).toEqual([]);
  });
});
