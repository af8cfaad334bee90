import { beforeEach, describe, expect, test } from '@jest/globals';
import { openOwnerFixture } from '../owner-api/owner-fixture.ts';
import { REJECTED, type Sender, submissionId } from '../submission/submission-fixture.ts';

const NOON = Date.parse('2026-11-15T12:00:10Z');
const fixture = openOwnerFixture(NOON);

beforeEach(() => {
  fixture.clock.now = NOON;
  fixture.calls.injectBefore(undefined);
});

interface Change {
  readonly surfaces: readonly ('1a' | '1b')[];
  readonly reason: string;
  readonly apply: (sender: Sender) => Promise<{ status: number }>;
}

const of = ({ workspaceId }: Sender) => fixture.ownerOf(workspaceId);

const changes: Record<string, Change> = {
  'deactivating the form': {
    surfaces: ['1a', '1b'],
    reason: 'form_inactive',
    apply: (sender) => of(sender).patch(`/forms/${sender.formId}`, { body: { active: false } }),
  },
  'archiving the form': {
    surfaces: ['1a', '1b'],
    reason: 'form_inactive',
    apply: (sender) => of(sender).post(`/forms/${sender.formId}/archive`),
  },
  'revoking the token': {
    surfaces: ['1a'],
    reason: 'token_revoked',
    apply: (sender) => of(sender).delete(`/tokens/${sender.tokenId}`),
  },
  'rotating the secret': {
    surfaces: ['1b'],
    reason: 'signature_mismatch',
    apply: (sender) => of(sender).post(`/forms/${sender.formId}/delivery/rotate`),
  },
  'setting another secret': {
    surfaces: ['1b'],
    reason: 'signature_mismatch',
    apply: (sender) => of(sender).put(`/forms/${sender.formId}/delivery/secret`),
  },
};

const cases = Object.entries(changes).flatMap(([name, { surfaces }]) =>
  surfaces.map((surface) => [name, surface] as const),
);

/** Fails the write that announces a change, and leaves the change itself alone. */
function cutBeforeRaise(): void {
  fixture.calls.injectBefore((command, input) =>
    command === 'UpdateItem' && JSON.stringify(input).includes('ADD configVersion')
      ? new Error('killed')
      : undefined,
  );
}

// configuration-changes.test.ts has what else applies to the very next submission.
test.each(cases)(
  '%s, on surface %s, applies from the next submission on, also if it was stopped between write and announcement',
  async (name, surface) => {
    const { apply, reason } = changes[name] as Change;
    const sender = await fixture.newSender();
    const ingest = fixture.newEnvironment();
    submissionId(await ingest.send(surface, sender));
    cutBeforeRaise();
    expect((await apply(sender)).status).toBe(500);
    fixture.calls.injectBefore(undefined);
    expect((await apply(sender)).status).toBeLessThan(300);
    expect(await ingest.send(surface, sender)).toEqual(REJECTED);
    expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({ [reason]: 1 });
  },
);

describe('a rotation with grace', () => {
  const rotate = async (sender: Sender, graceSeconds: number) =>
    of(sender).post(`/forms/${sender.formId}/delivery/rotate`, { body: { graceSeconds } });

  const end = ({ workspaceId, formId }: Sender) =>
    fixture.ownerOf(workspaceId).delete(`/forms/${formId}/delivery/previous-secret`);

  test.each([
    ['ends by itself', async () => (fixture.clock.now += 3_600_000)],
    ['is ended by the owner', end],
  ])('loses no lead: both secrets work until it %s, then only the new one', async (_, act) => {
    const sender = await fixture.newSender();
    const ingest = fixture.newEnvironment();
    submissionId(await ingest.webhook(sender));
    const { body } = await rotate(sender, 3600);
    const renewed = { ...sender, secret: body.secret };
    submissionId(await ingest.webhook(sender));
    submissionId(await ingest.webhook(renewed));
    await act(sender);
    expect(await ingest.webhook(sender)).toEqual(REJECTED);
    submissionId(await ingest.webhook(renewed));
  });

  /**
   * The first try has stored a secret that nobody has seen. A second try that took it for the previous one
   * would replace the secret that senders use, in the middle of its grace period.
   */
  test('stopped before its secret was shown, keeps the sender’s secret when it is repeated', async () => {
    const sender = await fixture.newSender();
    const ingest = fixture.newEnvironment();
    submissionId(await ingest.webhook(sender));
    cutBeforeRaise();
    expect((await rotate(sender, 3600)).status).toBe(500);
    expect((await rotate(sender, 3600)).status).toBe(500);
    fixture.calls.injectBefore(undefined);
    const { body } = await rotate(sender, 3600);
    expect(body.previousWorksUntil).toBe('2026-11-15T13:00:10.000Z');
    submissionId(await ingest.webhook(sender));
    submissionId(await fixture.newEnvironment().webhook(sender));
    submissionId(await ingest.webhook({ ...sender, secret: body.secret }));
    const { body: again } = await rotate(sender, 3600);
    expect(await ingest.webhook(sender)).toEqual(REJECTED);
    submissionId(await ingest.webhook({ ...sender, secret: body.secret }));
    submissionId(await ingest.webhook({ ...sender, secret: again.secret }));
  });

  test('shows the last use of each secret', async () => {
    const sender = await fixture.newSender();
    const note = (role: string, at: string) =>
      fixture.noteUse(sender.workspaceId, `secret#${sender.formId}#${role}`, at);
    const delivery = async () => (await of(sender).get(`/forms/${sender.formId}/delivery`)).body;
    await note('previous', '2026-11-01T00:00:00.000Z');
    await note('current', '2026-11-15T12:00:30.000Z');
    expect((await delivery()).secret.lastUsedAt).toBe('2026-11-15T12:00:30.000Z');
    fixture.clock.now = Date.parse('2026-11-15T12:05:00Z');
    await rotate(sender, 3600);
    expect(await delivery()).toMatchObject({
      secret: { isSet: true, setAt: '2026-11-15T12:05:00.000Z' },
      previousSecret: { lastUsedAt: '2026-11-15T12:00:30.000Z' },
    });
    expect((await delivery()).secret.lastUsedAt).toBeUndefined();
    await note('previous', '2026-11-15T12:06:00.000Z');
    await note('current', '2026-11-15T12:07:00.000Z');
    expect(await delivery()).toMatchObject({
      secret: { lastUsedAt: '2026-11-15T12:07:00.000Z' },
      previousSecret: { lastUsedAt: '2026-11-15T12:06:00.000Z' },
    });
  });
});

test('a fields configuration reaches scoring with the next submission', async () => {
  const sender = await fixture.newSender();
  const ingest = fixture.newEnvironment();
  const body = '{"q1":"Ada Byron","q2":"ada@analytical-engines.co.uk"}';
  await ingest.server(sender, { body });
  await of(sender).patch(`/forms/${sender.formId}`, { body: { fields: [{ key: 'q1', role: 'honeypot' }] } });
  const lead = await fixture.leadById(submissionId(await ingest.server(sender, { body })));
  expect(lead?.clean).toBe(false);
});

const ORIGIN = 'https://shop.example.com';

async function newForm() {
  const sender = await fixture.newSender();
  const owner = fixture.ownerOf(sender.workspaceId);
  const at = `/forms/${sender.formId}`;
  return {
    ...sender,
    at,
    read: async () => (await owner.get(at)).body.browser,
    change: (browser: unknown, beyondSchema = false) => owner.patch(at, { body: { browser }, beyondSchema }),
  };
}

describe('sending from browsers', () => {
  test('is off by default, and changed in parts, with origins as browsers write them', async () => {
    const form = await newForm();
    expect(await form.read()).toEqual({ enabled: false, origins: [] });
    await form.change({ origins: ['https://Shop.Example.com/', 'https://*.example.com'] });
    const origins = [ORIGIN, 'https://*.example.com'];
    expect(await form.read()).toEqual({ enabled: false, origins });
    const { status, body } = await form.change({ enabled: true });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'Contact', browser: { enabled: true, origins } });
    expect(await form.read()).toEqual({ enabled: true, origins });
  });

  test.each<[string, unknown, string, RegExp]>([
    ['text instead of an object', 'on', 'browser', /object/],
    ['an unknown property', { origin: [ORIGIN] }, 'browser.origin', /not a known field/],
    ['enabled as text', { enabled: 'yes' }, 'browser.enabled', /true or false/],
    ['one origin without a list', { origins: ORIGIN }, 'browser.origins', /must be a list/],
    ['a number as origin', { origins: [ORIGIN, 7] }, 'browser.origins[1]', /must be text/],
    ['a public suffix', { origins: ['https://*.github.io'] }, 'browser.origins[0]', /too broad/],
    ['one origin twice', { origins: [ORIGIN, `${ORIGIN}/`] }, 'browser.origins[1]', /listed twice/],
    [
      'too many',
      { origins: Array.from({ length: 21 }, (_, n) => `https://s${n}.example.com`) },
      'browser.origins',
      /at most 20/,
    ],
  ])('cannot be %s', async (_what, browser, field, problem) => {
    const form = await newForm();
    // What makes a text an origin is not in the schema.
    const { status, body } = await form.change(browser, /\[\d\]$/.test(field));
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ field, problem: expect.stringMatching(problem) }]);
    expect(await form.read()).toEqual({ enabled: false, origins: [] });
  });
});
