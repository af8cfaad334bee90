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

describe.each(cases)('%s, on surface %s', (name, surface) => {
  const { apply, reason } = changes[name] as Change;

  test('applies from the next submission on, in a warm function', async () => {
    const sender = await fixture.newSender();
    const ingest = fixture.newEnvironment();
    submissionId(await ingest.send(surface, sender));
    expect((await apply(sender)).status).toBeLessThan(300);
    expect(await ingest.send(surface, sender)).toEqual(REJECTED);
    expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({ [reason]: 1 });
  });

  test('stopped between write and announcement, applies when it is repeated', async () => {
    const sender = await fixture.newSender();
    const ingest = fixture.newEnvironment();
    submissionId(await ingest.send(surface, sender));
    cutBeforeRaise();
    expect((await apply(sender)).status).toBe(500);
    fixture.calls.injectBefore(undefined);
    expect((await apply(sender)).status).toBeLessThan(300);
    expect(await ingest.send(surface, sender)).toEqual(REJECTED);
  });
});

test('activating a form again lets it take leads at once', async () => {
  const sender = await fixture.newSender();
  const ingest = fixture.newEnvironment();
  const set = (active: boolean) => of(sender).patch(`/forms/${sender.formId}`, { body: { active } });
  await set(false);
  expect(await ingest.server(sender)).toEqual(REJECTED);
  await set(true);
  submissionId(await ingest.server(sender));
});

describe('a rotation with grace', () => {
  const rotate = async (sender: Sender, graceSeconds: number) =>
    of(sender).post(`/forms/${sender.formId}/delivery/rotate`, { body: { graceSeconds } });

  test('loses no lead: both secrets work until it ends, then only the new one', async () => {
    const sender = await fixture.newSender();
    const ingest = fixture.newEnvironment();
    submissionId(await ingest.webhook(sender));
    const { body } = await rotate(sender, 3600);
    const renewed = { ...sender, secret: body.secret };
    submissionId(await ingest.webhook(sender));
    submissionId(await ingest.webhook(renewed));
    fixture.clock.now += 3_600_000;
    expect(await ingest.webhook(sender)).toEqual(REJECTED);
    submissionId(await ingest.webhook(renewed));
  });

  test('can be ended at once, with a warm function', async () => {
    const sender = await fixture.newSender();
    const ingest = fixture.newEnvironment();
    const { body } = await rotate(sender, 3600);
    submissionId(await ingest.webhook(sender));
    await of(sender).delete(`/forms/${sender.formId}/delivery/previous-secret`);
    expect(await ingest.webhook(sender)).toEqual(REJECTED);
    submissionId(await ingest.webhook({ ...sender, secret: body.secret }));
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
