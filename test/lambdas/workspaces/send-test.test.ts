import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { LIMITS, rateWindowsAt } from '#model/limits.ts';
import { INGEST_URL, type Owner, openOwnerFixture } from '../owner-api/owner-fixture.ts';
import type { Sender } from '../submission/submission-fixture.ts';

const NOW = Date.parse('2026-11-15T12:00:10Z');
// The fixture fails a test if a secret or signature appears in a response or a log line.
const fixture = openOwnerFixture(NOW);

let sender: Sender;
let owner: Owner;
let at: string;

beforeEach(async () => {
  sender = await fixture.newSender();
  fixture.shown.add(sender.secret);
  owner = fixture.ownerOf(sender.workspaceId);
  at = `/forms/${sender.formId}`;
});

afterEach(() => {
  fixture.network.reply = undefined;
});

const send = async (body?: unknown) => (await owner.post(`${at}/test`, { body })).body;

describe('what is sent', () => {
  test('is the given body with the test mark, and is stored like this', async () => {
    const response = await send({ body: { name: 'Zoë', nested: { a: [1] } } });
    expect(response).toEqual({
      sent: {
        url: `${INGEST_URL}/api/v1/ingest/${sender.slug}`,
        timestamp: '1794744010',
        headerNames: ['Content-Type', 'X-SVC-Timestamp', 'X-SVC-Signature', 'User-Agent'],
        bodyText: '{"name":"Zoë","nested":{"a":[1]},"_test":true}',
      },
      outcome: 'accepted',
      status: 202,
      submissionId: expect.any(String),
      requestId: expect.any(String),
      milliseconds: 0,
    });
    const lead = await fixture.leadById(response.submissionId);
    expect(lead).toMatchObject({ formId: sender.formId, surface: '1b', body: response.sent.bodyText });
  });

  test.each([undefined, {}])('is a sample of the configured fields if the body is %p', async (body) => {
    const fields = [{ key: 'Ansprechpartner', role: 'email' }, { key: '__proto__' }, { key: '_test' }];
    await owner.patch(at, { body: { fields } });
    const { outcome, sent } = await send(body);
    expect([outcome, sent.bodyText]).toEqual([
      'accepted',
      '{"Ansprechpartner":"ada.byron@example.com","__proto__":"Sample of __proto__","_test":true}',
    ]);
  });

  test('is signed with the current secret, even while the previous one still works', async () => {
    await owner.post(`${at}/delivery/rotate`, { body: { graceSeconds: 60 } });
    expect((await send()).outcome).toBe('accepted');
    await owner.delete(`${at}/delivery/previous-secret`);
    expect((await send()).outcome).toBe('accepted');
  });

  test('may have 131,072 bytes and no more', async () => {
    const frame = Buffer.byteLength('{"text":"","_test":true}');
    const most = LIMITS.bodyBytes - frame;
    expect((await send({ body: { text: 'x'.repeat(most) } })).outcome).toBe('accepted');
    const tooLarge = { body: { body: { text: 'x'.repeat(most + 1) } }, beyondSchema: true };
    const { body } = await owner.post(`${at}/test`, tooLarge);
    expect(body.errors).toEqual([{ field: 'body', problem: expect.stringContaining('131072') }]);
  });

  test.each([false, 'true', 1, null])('cannot have the mark %p', async (_test) => {
    const { body } = await owner.post(`${at}/test`, { body: { body: { _test } } });
    expect(body.errors).toEqual([{ field: 'body._test', problem: expect.any(String) }]);
  });

  test('nests as deep as the body can be read, and no deeper', async () => {
    const nested = (depth: number) => `{"body":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    for (const depth of [500, 1_000, 2_000, 5_000, 50_000]) {
      const { status } = await owner.post(`${at}/test`, { rawBody: nested(depth) });
      expect([200, 400]).toContain(status);
    }
  });
});

describe('the outcome', () => {
  test('is a rejection if the form is inactive', async () => {
    await owner.patch(at, { body: { active: false } });
    const response = await send();
    expect(response).toMatchObject({ outcome: 'rejected', status: 200, requestId: expect.any(String) });
    expect(response.submissionId).toBeUndefined();
    expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({ form_inactive: 1 });
  });

  test('is a rejection if the limit is exceeded', async () => {
    const { minuteCounter } = rateWindowsAt('1b', NOW);
    await fixture.pretendCounted(sender, minuteCounter, LIMITS.submissionsPerMinute);
    expect((await send()).outcome).toBe('rejected');
    expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({ rate_limited_minute: 1 });
  });

  test.each([
    ['no answer', undefined, {}],
    ['an error of something in between', { status: 503, requestId: 'r', text: '<html>' }, { status: 503 }],
    ['a redirect', { status: 302, requestId: undefined, text: '' }, { status: 302 }],
    ['another answer with 200', { status: 200, requestId: undefined, text: 'null' }, { status: 200 }],
    ['202 without an id', { status: 202, requestId: undefined, text: '{}' }, { status: 202 }],
  ])('is unreachable after %s', async (_what, reply, told) => {
    fixture.network.reply = () => reply;
    expect(await send()).toMatchObject({ outcome: 'unreachable', ...told });
  });
});

describe('no test is sent', () => {
  const refused = async (form: string) => {
    fixture.network.reply = () => {
      throw new Error('something was sent');
    };
    return owner.post(`${form}/test`);
  };

  test('without a secret', async () => {
    const { body: form } = await owner.post('/forms', { body: { name: 'Bare' } });
    const { status, body } = await refused(`/forms/${form.formId}`);
    expect([status, body.detail]).toEqual([409, expect.stringContaining('Set one first')]);
  });

  test('to an archived form', async () => {
    await owner.post(`${at}/archive`);
    const { status, body } = await refused(at);
    expect([status, body.detail]).toEqual([409, expect.stringContaining('archived')]);
  });
});
