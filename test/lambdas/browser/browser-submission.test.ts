import { beforeEach, describe, expect, test } from '@jest/globals';
import { itemBytes } from '#model/lead-item.ts';
import { LIMITS, rateWindowsAt } from '#model/limits.ts';
import { crowd, REJECTED, SAMPLE, type Sender, submissionId } from '../submission/submission-fixture.ts';
import { CORS, newNonce, ORIGIN, openBrowserFixture } from './browser-fixture.ts';

const fixture = openBrowserFixture();
const { clock, mint, newBrowser, newPage, reasonsOf, leadIdsOf } = fixture;
const REFUSED = { ...REJECTED, headers: { ...REJECTED.headers, ...CORS } };
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let page: Sender;
beforeEach(async () => {
  page = await newPage();
});

async function send(sender = page, { nonce = newNonce(), browser = newBrowser(), origin = ORIGIN } = {}) {
  const token = await mint({ slug: sender.slug, nonce, origin });
  return browser.submit(token, { headers: { Origin: origin } });
}

describe('a submission from an allowed origin', () => {
  test('becomes a lead of the form, scored, and readable by the page', async () => {
    const response = await send();
    expect(response.headers).toEqual({ 'Content-Type': 'application/json', ...CORS });
    const lead = await fixture.leadById(submissionId(response));
    expect(lead).toMatchObject({ formId: page.formId, surface: '2', body: SAMPLE });
    expect(lead?.score).toBeGreaterThan(0);
    expect(await reasonsOf(page.workspaceId)).toEqual({});
  });

  test('also by a wildcard', async () => {
    const sender = await newPage(['https://*.example.com']);
    submissionId(await send(sender, { origin: 'https://www.example.com' }));
  });

  test('notes no last use', async () => {
    submissionId(await send());
    expect(await fixture.diagnosticsOf(page.workspaceId, 'use#')).toEqual([]);
  });

  test('needs as many calls as a keyed submission of a server', async () => {
    const browser = newBrowser();
    await send(page, { browser });
    fixture.calls.reset();
    await send(page, { browser });
    expect(fixture.calls.commands()).toEqual(['BatchGetItem', 'UpdateItem', 'TransactWriteItems']);
  });
});

describe('one nonce makes one lead', () => {
  test('a repeat gets the original response, also with a new token, from another environment', async () => {
    const nonce = newNonce();
    const first = await send(page, { nonce });
    clock.now += 5_000;
    const second = await send(page, { nonce });
    expect(second).toEqual(first);
    expect(await leadIdsOf(page.formId)).toEqual([submissionId(first)]);
  });

  test('a double click too', async () => {
    const nonce = newNonce();
    const token = await mint({ slug: page.slug, nonce });
    const responses = await crowd(20, 20, () => newBrowser().submit(token));
    expect(new Set(responses.map(submissionId)).size).toBe(1);
    expect(await leadIdsOf(page.formId)).toHaveLength(1);
  });

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

  test('browser_inactive for a form that was never set up', async () => {
    const sender = await fixture.newSender();
    expect(await send(sender)).toEqual(REFUSED);
    expect(await reasonsOf(sender.workspaceId)).toEqual({ browser_inactive: 1 });
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

  test('token_invalid for a token of another allowed origin', async () => {
    const sender = await newPage([ORIGIN, 'https://www.example.com']);
    const token = await mint({ slug: sender.slug, nonce: newNonce(), origin: 'https://www.example.com' });
    expect(await newBrowser().submit(token)).toEqual(REFUSED);
    expect(await reasonsOf(sender.workspaceId)).toEqual({ token_invalid: 1 });
  });

  test('unknown forms, server tokens and nonsense, which belong to no workspace', async () => {
    const unknown = await mint({ slug: 'no-such-form', nonce: newNonce() });
    for (const token of [unknown, page.token, 'ingt_brw_nonsense']) {
      expect(await newBrowser().submit(token)).toEqual(REFUSED);
    }
    expect(await reasonsOf(page.workspaceId)).toEqual({});
  });

  test('a browser token on Surface 1a, as one of the wrong type', async () => {
    const token = await mint({ slug: page.slug, nonce: newNonce() });
    const { server, logLines } = fixture.newEnvironment();
    expect(await server({ ...page, token })).toEqual(REJECTED);
    expect(logLines.map((line) => JSON.parse(line).reason)).toEqual(['token_wrong_type']);
  });

  test('a body that is too large, attributed to the form', async () => {
    const token = await mint({ slug: page.slug, nonce: newNonce() });
    const body = JSON.stringify({ text: 'x'.repeat(LIMITS.bodyBytes) });
    expect(await newBrowser().submit(token, { body })).toEqual(REFUSED);
    expect(await reasonsOf(page.workspaceId)).toEqual({ body_too_large: 1 });
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

  test('per day', async () => {
    const { dayCounter } = rateWindowsAt('2', clock.now);
    await fixture.pretendCounted(page, dayCounter, LIMITS.submissionsPerDay);
    expect(await send()).toEqual(REFUSED);
    expect(await reasonsOf(page.workspaceId)).toEqual({ rate_limited_day: 1 });
  });

  test('keep the gate item below 1 KB, and any surface removes old counters', async () => {
    const environment = fixture.newEnvironment();
    const browser = newBrowser();
    for (let day = 0; day < 4; day += 1) {
      for (let minute = 0; minute < 4; minute += 1) {
        submissionId(await send(page, { browser }));
        submissionId(await environment.server(page));
        submissionId(await environment.webhook(page));
        expect(itemBytes(await fixture.workspaceItem(page.workspaceId))).toBeLessThan(1_024);
        clock.now += MINUTE;
      }
      clock.now += DAY;
    }
    clock.now += DAY;
    submissionId(await environment.server(page));
    submissionId(await environment.server(page));
    const item = await fixture.workspaceItem(page.workspaceId);
    expect(Object.keys(item).filter((name) => name.startsWith('n2'))).toEqual([]);
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
