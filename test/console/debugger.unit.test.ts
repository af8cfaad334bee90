import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  debugRequest,
  fromBase64,
  headerValue,
  NO_OBSTACLES,
  type Obstacles,
  toBase64,
} from '../../console/src/pages/delivery/debugger/debug-request.ts';
import {
  bytesOf,
  type MarkedSide,
  markDifference,
  visiblePieces,
} from '../../console/src/pages/delivery/debugger/mark-difference.ts';
import { describeVerdict } from '../../console/src/pages/delivery/debugger/verdict-words.ts';
import { differenceOf, printable } from '../../lambdas/debugger/difference.ts';
import { explainSignature, readSignedRequest } from '../../lambdas/debugger/explain-signature.ts';
import { REASONS } from '../../lambdas/model/reasons.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('bytes are made visible', () => {
  const shown = (given: Uint8Array) =>
    visiblePieces(printable(given))
      .map(({ text, unseen }) => (unseen ? `[${text}]` : text))
      .join('');

  test.each([
    ['{"a": "b\\n"}\r\n\t', '{"a": "b\\n"}[CR][LF][TAB]'],
    ['\ufeffZoë 🙂 مرحبا', '[BOM]Zoë 🙂 مرحبا'],
    ['a\u00a0b\u200bc\u202ed\u0000', 'a[U+00A0]b[U+200B]c[U+202E]d[U+0000]'],
    ['[LF]', '[LF]'],
  ])('%j', (text, expected) => {
    expect(shown(bytes(text))).toBe(expected);
  });

  test('invalid UTF-8 as byte values, and the characters around it unchanged', () => {
    expect(shown(Uint8Array.of(0x5a, 0xeb, 0x20, 0xc3, 0xab, 0xc3))).toBe('Z[EB] ë[C3]');
  });

  test('without losing any', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (given) => {
        expect([...bytesOf(printable(given))]).toEqual([...given]);
      }),
    );
  });
});

describe('the difference is marked', () => {
  const marked = (expected: string, signed: string) => {
    const difference = differenceOf(bytes(expected), bytes(signed));
    if (!difference) throw new Error('There is no difference.');
    const { expected: left, signed: right } = markDifference(difference, bytes(expected).length);
    return [written(left), written(right)];
  };
  const written = ({ runs, cutBefore, cutAfter }: MarkedSide) =>
    (cutBefore ? '…' : '') +
    runs
      .map(({ differs, pieces }) => {
        const text = pieces.map((piece) => (piece.unseen ? `<${piece.text}>` : piece.text)).join('');
        return differs ? `[${text}]` : text;
      })
      .join('') +
    (cutAfter ? '…' : '');

  test.each([
    ['17.{"a":1}', '17.{"a":1}\n', '17.{"a":1}', '17.{"a":1}[<LF>]'],
    ['17.{"a":1}', '17{"a":1}', '17[.]{"a":1}', '17{"a":1}'],
    ['17.{"a":1,"b":2}', '17.{"a": 1, "b": 2}', '17.{"a":1,"b":2}', '17.{"a":[ ]1,[ ]"b":[ ]2}'],
    ['17.{"a":"é"}', '17.{"a":"\\u00e9"}', '17.{"a":"[é]"}', '17.{"a":"[\\u00e9]"}'],
  ])('%j against %j', (expected, signed, left, right) => {
    expect(marked(expected, signed)).toEqual([left, right]);
  });

  test('as one block if the two have little in common', () => {
    expect(marked('17.{"name":"Ada"}', '17.eyJuYW1lIjoiQWRhIn0=')).toEqual([
      '17.[{"name":"Ada"}]',
      '17.[eyJuYW1lIjoiQWRhIn0=]',
    ]);
  });

  test('does not mark the end of a cut excerpt as a difference', () => {
    const long = 'abcdefghij'.repeat(100);
    const [left, right] = marked(`17.{${long}}`, `17. {${long}}`);
    expect(left).toMatch(/^17\.\{(?:abcdefghij)+[a-j]*…$/);
    expect(right).toMatch(/^17\.\[ \]\{(?:abcdefghij)+[a-j]*…$/);
  });

  test('does not mark the start of a cut excerpt as a difference', () => {
    const [left, right] = marked(`17.${'x'.repeat(500)}`, `17.${'x'.repeat(500)}\n`);
    expect(left).toMatch(/^…x+$/);
    expect(right).toMatch(/^…x+\[<LF>\]$/);
  });
});

describe('what was pasted becomes the request', () => {
  test.each([
    ['1800000000', '1800000000'],
    [' X-SVC-Timestamp: 1800000000\n', '1800000000'],
    ['"x-svc-timestamp": 1800000000', '1800000000'],
    [' \t1800000000 \r\n', '1800000000'],
    ['\u00a01800000000', '\u00a01800000000'],
    ['  ', undefined],
    ['', undefined],
  ])('a header pasted as %j', (pasted, value) => {
    expect(headerValue(pasted, 'X-SVC-Timestamp')).toBe(value);
  });

  test("any body round-trips through base64, up to the API's maximum", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (body) => {
        expect([...(fromBase64(toBase64(body)) ?? [])]).toEqual([...body]);
      }),
    );
    const largest = new Uint8Array(131_073).fill(0xe9);
    const { bodyBase64 } = debugRequest({ timestamp: undefined, signature: undefined, body: largest });
    expect(Buffer.from(readSignedRequest({ bodyBase64 }).body).equals(largest)).toBe(true);
  });
});

describe('the verdict', () => {
  const NOW = 1_800_000_000_000;
  const explain = (key: string, { timestamp = '1800000000', secrets = {} } = {}) => {
    const body = bytes('{"a":1}');
    const signature = createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex');
    return explainSignature({ timestamp, signature, body }, { current: 'whsec_one', ...secrets }, NOW);
  };

  const SENT = { signature: 'ab', body: bytes('{"a":1}') };
  const verdict = (explanation: ReturnType<typeof explain>, obstacles: Obstacles = NO_OBSTACLES) =>
    describeVerdict(explanation, SENT, obstacles);

  test('has a text for every decision', () => {
    const base = explain('whsec_one');
    for (const signature of ['right', 'explained', 'unexplained'] as const) {
      for (const decision of REASONS) {
        const { kind, headline, sentences } = verdict({ ...base, decision, signature });
        expect([decision, kind]).not.toEqual([decision, 'success']);
        expect(headline).not.toContain('_');
        expect([decision, sentences.length]).not.toEqual([decision, 0]);
        // The reader is already in the debugger.
        expect([decision, sentences.join(' ')]).not.toEqual([decision, expect.stringMatching(/debugger/)]);
      }
    }
  });

  test('distinguishes a correct signature with an old timestamp', () => {
    expect(verdict(explain('whsec_one'))).toMatchObject({ kind: 'success' });
    const old = verdict(explain('whsec_one', { timestamp: '1799992700' }));
    expect(old).toMatchObject({
      kind: 'warning',
      headline: expect.stringMatching(/^The signature is correct/),
    });
    expect(old.sentences[0]).toMatch(/2 hours 1 minute behind/);
    const wrong = verdict(explain('whsec_two', { timestamp: '1799992700' }));
    expect(wrong.sentences.join(' ')).toMatch(/The signature doesn’t match either, and no/);
  });

  test('reports other problems of a correctly signed request', () => {
    const refused = ['Content-Type is text/plain.'];
    const elsewhere = 'The request goes to x. This form’s address is y.';
    expect(verdict(explain('whsec_one'), { refused, elsewhere })).toEqual({
      kind: 'error',
      headline: 'The signature is correct, but the request will be rejected',
      sentences: [...refused, elsewhere],
      besides: [],
    });
    expect(verdict(explain('whsec_one'), { refused: [], elsewhere })).toEqual({
      kind: 'warning',
      headline: 'The signature is correct, but the request goes to another URL',
      sentences: [elsewhere],
      besides: [],
    });
    const previous = { secret: 'whsec_old', endsAtMilliseconds: NOW + 1 };
    expect(verdict(explain('whsec_old', { secrets: { previous } }), { refused }).sentences).toEqual([
      ...refused,
      expect.stringMatching(/previous webhook secret/),
    ]);
  });

  test('lists other problems besides a wrong signature', () => {
    const refused = ['Content-Type is text/plain.'];
    expect(verdict(explain('whsec_two'), { refused })).toMatchObject({
      headline: 'Rejected: Signature doesn’t match',
      besides: refused,
    });
    expect(verdict(explain('whsec_two')).besides).toEqual([]);
  });
});
