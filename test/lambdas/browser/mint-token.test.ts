import { describe, expect, test } from '@jest/globals';
import { REJECTED } from '../submission/submission-fixture.ts';
import { CORS, newNonce, ORIGIN, openBrowserFixture } from './browser-fixture.ts';

const fixture = openBrowserFixture();
const { requestToken } = fixture;
const HEADERS = { Origin: ORIGIN };
const NONCE = newNonce();
const REFUSED = { ...REJECTED, headers: { ...REJECTED.headers, ...CORS } };

test('mints alike for a form that exists and one that does not, and calls nothing', async () => {
  const { slug } = await fixture.newPage();
  fixture.calls.reset();
  const shapes = await Promise.all(
    [slug, slug.replace(/^./, 'x')].map(async (form) => {
      const { body, ...rest } = await requestToken({ form, nonce: NONCE }, HEADERS);
      const { token, ...more } = JSON.parse(body) as { token: string };
      expect(token).toMatch(/^ingt_brw_/);
      return { ...rest, ...more, length: token.length };
    }),
  );
  expect(shapes[0]).toEqual(shapes[1]);
  expect(shapes[0]).toMatchObject({
    statusCode: 200,
    expires_in: 120,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...CORS },
  });
  expect(fixture.calls.commands()).toEqual([]);
});

// The submission is rejected, and recorded for the owner.
test.each<[string, Record<string, string>]>([
  ['no origin', {}],
  ['the origin null', { Origin: 'null' }],
  ['a malformed origin', { Origin: 'shop.example.com' }],
])('mints with %s', async (_what, headers) => {
  const { body } = await requestToken({ form: 'contact', nonce: NONCE }, headers);
  expect(JSON.parse(body)).toEqual({ token: expect.stringMatching(/^ingt_brw_/), expires_in: 120 });
});

describe('refuses', () => {
  test.each<[string, unknown, Record<string, string>]>([
    ['no form', { nonce: NONCE }, HEADERS],
    ['a form that is no slug', { form: 'con/tact', nonce: NONCE }, HEADERS],
    ['a form that is no text', { form: ['contact'], nonce: NONCE }, HEADERS],
    ['no nonce', { form: 'contact' }, HEADERS],
    ['a short nonce', { form: 'contact', nonce: NONCE.slice(2) }, HEADERS],
    ['a nonce that is no text', { form: 'contact', nonce: 1 }, HEADERS],
    ['a long body', { form: 'contact', nonce: NONCE, more: 'x'.repeat(1_024) }, HEADERS],
    ['a list', [], HEADERS],
    ['no JSON', '{', HEADERS],
    ['another content type', { form: 'contact', nonce: NONCE }, { ...HEADERS, 'Content-Type': 'text/plain' }],
    ['a coding', { form: 'contact', nonce: NONCE }, { ...HEADERS, 'Content-Encoding': 'br' }],
  ])('%s, like every rejection', async (_what, body, headers) => {
    expect(await requestToken(body, headers)).toEqual(REFUSED);
    expect(fixture.mintLines).toEqual([]);
  });

  test('everything while there is no key, and logs that', async () => {
    const own = openBrowserFixture();
    own.keys.list = [];
    expect(await own.requestToken({ form: 'contact', nonce: NONCE }, HEADERS)).toEqual(REFUSED);
    expect(own.mintLines).toHaveLength(1);
    expect(own.mintLines[0]).toContain('mint.defect');
    expect(own.mintLines[0]).not.toContain(NONCE);
    // The alarm for internal errors counts it.
    expect(JSON.parse(own.mintLines[0] ?? '')).toMatchObject({
      surface: '2',
      reason: 'internal_error',
      Rejected: 1,
      _aws: { CloudWatchMetrics: [{ Dimensions: [['surface', 'reason']], Metrics: [{ Name: 'Rejected' }] }] },
    });
  });
});

test('the preflight response names the headers, allows any origin and no credentials', async () => {
  expect(await fixture.preflight()).toEqual({
    statusCode: 204,
    headers: {
      ...CORS,
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': 'authorization, content-type',
      'Access-Control-Max-Age': '7200',
    },
    body: '',
  });
});
