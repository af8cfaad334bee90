import { beforeEach, describe, expect, test } from '@jest/globals';
import { LIMITS, rateWindowsAt } from '#model/limits.ts';
import { REJECTED, type Sender, submissionId } from '../submission/submission-fixture.ts';
import { CORS, newNonce, ORIGIN, openBrowserFixture } from './browser-fixture.ts';

const fixture = openBrowserFixture();
const { clock, mint, newBrowser, newPage, reasonsOf } = fixture;
const REFUSED = { ...REJECTED, headers: { ...REJECTED.headers, ...CORS } };
const MINUTE = 60_000;

let page: Sender;
beforeEach(async () => {
  page = await newPage();
});

async function send(sender = page, { nonce = newNonce(), browser = newBrowser(), origin = ORIGIN } = {}) {
  const token = await mint({ slug: sender.slug, nonce, origin });
  return browser.submit(token, { headers: { Origin: origin } });
}

test('a submission from an allowed origin notes no last use', async () => {
  submissionId(await send());
  expect(await fixture.diagnosticsOf(page.workspaceId, 'use#')).toEqual([]);
});

describe('one nonce makes one lead', () => {
  test('another body with the same nonce gets the original response, and the owner learns of it', async () => {
    const token = await mint({ slug: page.slug, nonce: newNonce() });
    const browser = newBrowser();
    const first = await browser.submit(token);
    expect(await browser.submit(token, { body: '{"email":"other@example.com"}' })).toEqual(first);
    expect(await reasonsOf(page.workspaceId)).toEqual({ idempotency_key_reused: 1 });
  });

  test('the same nonce on another form is another lead', async () => {
    const nonce = newNonce();
    const { formId, slug } = await fixture.newForm(page.workspaceId);
    const browser = { enabled: true, origins: [ORIGIN] };
    await fixture.administrationOf(page.workspaceId).updateForm(formId, { browser });
    const one = await send(page, { nonce });
    const other = await send({ ...page, formId, slug }, { nonce });
    expect(submissionId(one)).not.toBe(submissionId(other));
  });

  test('a key in a header means nothing here, and a nonce means nothing as a key on other surfaces', async () => {
    const nonce = newNonce();
    const key = { 'X-SVC-Idempotency-Key': nonce };
    const byServer = submissionId(await fixture.newEnvironment().server(page, { headers: key }));
    const token = await mint({ slug: page.slug, nonce });
    const byPage = submissionId(await newBrowser().submit(token, { headers: key }));
    expect(byPage).not.toBe(byServer);
    const other = await mint({ slug: page.slug, nonce: newNonce() });
    expect(submissionId(await newBrowser().submit(other, { headers: key }))).not.toBe(byPage);
  });
});

describe('rejected, always with the same response:', () => {
  const change = (browser: { enabled?: boolean; origins?: string[] }) =>
    fixture.administrationOf(page.workspaceId).updateForm(page.formId, { browser });

  async function letTwoMinutesPass() {
    clock.now += 2 * MINUTE;
  }

  async function dropKeys() {
    fixture.keys.list = [];
  }

  test.each<[string, string, () => Promise<unknown>]>([
    ['browser_inactive', 'browser sending turned off', () => change({ enabled: false })],
    [
      'origin_not_allowed',
      'an origin taken off the list',
      () => change({ origins: ['https://example.com'] }),
    ],
    [
      'form_inactive',
      'an inactive form',
      () => fixture.administration.setFormActive({ ...page, active: false }),
    ],
    [
      'workspace_suspended',
      'a suspended workspace',
      () => fixture.administration.suspendWorkspace(page.workspaceId),
    ],
    ['token_expired', 'a token after 120 seconds', letTwoMinutesPass],
    ['token_invalid', 'a key that is gone', dropKeys],
  ])('%s for %s, also in a warm environment', async (reason, _what, spoil) => {
    const { list } = fixture.keys;
    const warm = newBrowser();
    submissionId(await send(page, { browser: warm }));
    const token = await mint({ slug: page.slug, nonce: newNonce() });
    await spoil();
    const cold = await newBrowser().submit(token);
    // Keys in memory are still good for what they signed.
    if (reason !== 'token_invalid') expect(await warm.submit(token)).toEqual(REFUSED);
    fixture.keys.list = list;
    expect(cold).toEqual(REFUSED);
    expect(Object.keys(await reasonsOf(page.workspaceId))).toEqual([reason]);
  });

  test.each<[string, Record<string, string | string[]>]>([
    ['origin_missing', { Origin: 'null' }],
    ['origin_missing', { Origin: [] }],
    ['origin_not_allowed', { Origin: 'https://evil.example' }],
    ['origin_not_allowed', { Origin: 'https://shop.example.com/' }],
    ['origin_not_allowed', { Origin: [ORIGIN, ORIGIN] }],
    ['content_type_unsupported', { 'Content-Type': 'text/plain' }],
  ])('%s for %p', async (reason, headers) => {
    const token = await mint({ slug: page.slug, nonce: newNonce() });
    expect(await newBrowser().submit(token, { headers })).toEqual(REFUSED);
    expect(await reasonsOf(page.workspaceId)).toEqual({ [reason]: 1 });
  });

  test('unknown forms, server tokens and nonsense, which belong to no workspace', async () => {
    const unknown = await mint({ slug: 'no-such-form', nonce: newNonce() });
    for (const token of [unknown, page.token, 'ingt_brw_nonsense']) {
      expect(await newBrowser().submit(token)).toEqual(REFUSED);
    }
    expect(await reasonsOf(page.workspaceId)).toEqual({});
  });

  test('and never recorded among the rejections of known senders', async () => {
    const token = await mint({ slug: page.slug, nonce: newNonce() });
    await newBrowser().submit(token, { body: '[]' });
    const [record] = await fixture.rejectionsOf(page.workspaceId);
    expect(record).toMatchObject({ reason: 'body_not_object', surface: '2', authenticated: false });
    expect(record?.table).toBe(fixture.stack.tables.unauthenticatedRejections);
  });
});

describe('limits', () => {
  test('are counted apart from those of the other surfaces', async () => {
    const { minuteCounter } = rateWindowsAt('2', clock.now);
    await fixture.pretendCounted(page, minuteCounter, LIMITS.submissionsPerMinute - 1);
    submissionId(await send());
    const nonce = newNonce();
    expect(await send(page, { nonce })).toEqual(REFUSED);
    expect(await reasonsOf(page.workspaceId)).toEqual({ rate_limited_minute: 1 });
    submissionId(await fixture.newEnvironment().server(page));
    submissionId(await fixture.newEnvironment().webhook(page));
    clock.now += MINUTE;
    submissionId(await send(page, { nonce }));
  });
});

const { requestToken } = fixture;
const HEADERS = { Origin: ORIGIN };
const NONCE = newNonce();

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

test('mints also without an origin that could be allowed: the submission is rejected, for the owner to see', async () => {
  const origins: Record<string, string>[] = [{}, { Origin: 'null' }, { Origin: 'shop.example.com' }];
  for (const headers of origins) {
    const { body } = await requestToken({ form: 'contact', nonce: NONCE }, headers);
    expect(JSON.parse(body)).toEqual({ token: expect.stringMatching(/^ingt_brw_/), expires_in: 120 });
  }
});

describe('refuses', () => {
  test('what is no request for a token, like every rejection', async () => {
    const right = { form: 'contact', nonce: NONCE };
    const requests: [what: string, body: unknown, headers?: Record<string, string>][] = [
      ['no form', { nonce: NONCE }],
      ['a form that is no slug', { ...right, form: 'con/tact' }],
      ['a form that is no text', { ...right, form: ['contact'] }],
      ['no nonce', { form: 'contact' }],
      ['a short nonce', { ...right, nonce: NONCE.slice(2) }],
      ['a nonce that is no text', { ...right, nonce: 1 }],
      ['a long body', { ...right, more: 'x'.repeat(1_024) }],
      ['a list', []],
      ['no JSON', '{'],
      ['another content type', right, { 'Content-Type': 'text/plain' }],
      ['a coding', right, { 'Content-Encoding': 'br' }],
    ];
    for (const [what, body, headers] of requests) {
      expect([what, await requestToken(body, { ...HEADERS, ...headers })]).toEqual([what, REFUSED]);
    }
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
