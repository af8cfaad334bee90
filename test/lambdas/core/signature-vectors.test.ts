import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { signatureVectors } from '#bin/make-signature-vectors.ts';
import { LIMITS } from '#submission/limits.ts';
import { parseJsonObject } from '#submission/parse-body.ts';
import { collectHeaders } from '#submission/request.ts';
import { judgeSignedRequest } from '#submission/signed-request.ts';

interface Vector {
  readonly name: string;
  readonly valid: boolean;
  readonly reason?: string;
  readonly why: string;
  readonly secret: string;
  readonly timestamp: string;
  readonly bodyBase64?: string;
  readonly bodyText?: string;
  readonly bodyRule?: { start: string; repeat: string; times: number; end: string };
  readonly signature: string;
  readonly expected: string;
}

const FILE = resolve(import.meta.dirname, '../../../docs/api/signature-vectors.json');
const text = readFileSync(FILE, 'utf8');
const { serverTime, vectors } = JSON.parse(text) as { serverTime: number; vectors: Vector[] };

function bodyOf({ bodyBase64, bodyRule }: Vector): Buffer {
  if (bodyBase64 !== undefined) return Buffer.from(bodyBase64, 'base64');
  if (!bodyRule) throw new Error('a vector without a body');
  const { start, repeat, times, end } = bodyRule;
  return Buffer.from(start + repeat.repeat(times) + end);
}

/** The real verifier, asked as for a form that has this secret and nothing else that could be wrong. */
function verdictOf(vector: Vector): string {
  const form = { slug: 'contact', formId: 'form_1', workspaceId: 'ws_1', active: true };
  const { rejection } = judgeSignedRequest(
    {
      forms: [form],
      secrets: [{ slug: 'contact', formId: 'form_1', secret: vector.secret }],
      workspace: { workspaceId: 'ws_1', status: 'active', configVersion: 1 },
    },
    {
      headers: collectHeaders(
        { 'X-SVC-Timestamp': vector.timestamp, 'X-SVC-Signature': vector.signature },
        null,
      ),
      body: bodyOf(vector),
      nowMilliseconds: serverTime * 1000,
    },
  );
  return rejection?.reason ?? 'accepted';
}

describe.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (_name, vector) => {
  test('expects the signature that anybody computes', () => {
    const message = Buffer.concat([Buffer.from(vector.timestamp), Buffer.from('.'), bodyOf(vector)]);
    const hex = createHmac('sha256', Buffer.from(vector.secret, 'utf8')).update(message).digest('hex');
    expect(vector.expected).toBe(hex);
  });

  test('gets the verdict that it says', () => {
    expect(verdictOf(vector)).toBe(vector.valid ? 'accepted' : vector.reason);
  });

  test('is told apart by its signature alone, or by its timestamp alone', () => {
    const sent = vector.signature.replace(/^sha256=/, '').toLowerCase();
    expect(sent === vector.expected).toBe(vector.valid || vector.reason?.startsWith('timestamp_') === true);
  });

  test('shows the same body as bytes and as text', () => {
    if (vector.bodyText !== undefined) expect(Buffer.from(vector.bodyText)).toEqual(bodyOf(vector));
  });
});

test('says of which bodies nothing but the signature is right', () => {
  for (const vector of vectors.filter(({ valid }) => valid)) {
    const parse = expect(() => parseJsonObject(bodyOf(vector)));
    if (vector.why.includes('is then rejected')) parse.toThrow('body_invalid_json');
    else parse.not.toThrow();
  }
});

test('the file is what its script makes: npm run make:signature-vectors', () => {
  expect(text).toBe(`${JSON.stringify(signatureVectors(), null, 2)}\n`);
});

test('there are enough of both kinds, each with a name of its own', () => {
  expect(vectors.filter(({ valid }) => valid).length).toBeGreaterThanOrEqual(20);
  expect(vectors.filter(({ valid }) => !valid).length).toBeGreaterThanOrEqual(10);
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
});

test('the largest body is as large as may be', () => {
  const largest = vectors.find(({ bodyRule }) => bodyRule);
  expect(largest && bodyOf(largest).length).toBe(LIMITS.bodyBytes);
});
