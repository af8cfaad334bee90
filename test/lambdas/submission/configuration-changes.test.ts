import { beforeEach, describe, expect, test } from '@jest/globals';
import { SURFACES } from '#model/limits.ts';
import { makeRestorer } from '#operator/restore-store.ts';
import { openSubmissionFixture, REJECTED, type Sender, submissionId } from './submission-fixture.ts';

const fixture = openSubmissionFixture();
const NOON = Date.parse('2026-11-15T12:00:10Z');

beforeEach(() => {
  fixture.clock.now = NOON;
});

// What owners change is tested where they change it, in ../workspaces/changes.test.ts, and under faults.
test.each(['the same workspace', 'another workspace'])(
  'restoring a form of %s that has the same slug',
  async (whose) => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    submissionId(await environment.webhook(sender));
    const { workspaceId } = whose === 'another workspace' ? await fixture.newSender() : sender;
    const twin = { slug: sender.slug, formId: 'form_twin', workspaceId, name: 'Twin', active: true, v: 1 };
    const restorer = makeRestorer({
      client: fixture.observer,
      tables: fixture.stack.tables,
      now: () => NOON,
    });
    const tally = { restored: 0, present: 0, expired: 0 };
    await restorer.put('forms', [twin], NOON, tally, new AbortController().signal);
    expect(tally.restored).toBe(1);
    expect(await environment.webhook(sender)).toEqual(REJECTED);
    expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({ slug_ambiguous: 1 });
  },
);

describe('version before record', () => {
  // With the record read first and the version second, a revocation in between is stamped with the new version, and
  // the gate lets it pass. The revocation is made to fall between any two reads of a cold environment in turn.
  const revoke = ({ tokenId }: Sender) => fixture.administration.revokeToken(tokenId);
  const rotate = ({ formId }: Sender) => fixture.administration.rotateSecret({ formId });

  test.each([
    ...[1, 2, 3, 4].map((call) => ['token_revoked', call, '1a', revoke] as const),
    ...[1, 2, 3, 4, 5, 6].map((call) => ['signature_mismatch', call, '1b', rotate] as const),
  ])('%s, if the change comes before call %i of a cold environment', async (reason, at, surface, change) => {
    const sender = await fixture.newSender();
    let call = 0;
    fixture.calls.injectBefore(async () => {
      call += 1;
      if (call === at) await change(sender);
      return undefined;
    });
    const response = await fixture.newEnvironment().send(surface, sender);
    fixture.calls.injectBefore(undefined);
    expect(response).toEqual(REJECTED);
    expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({ [reason]: 1 });
  });
});

describe('configuration in memory', () => {
  test('is used for one minute, and then read again', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    submissionId(await environment.server(sender));
    fixture.clock.now += 59_999;
    fixture.calls.reset();
    submissionId(await environment.server(sender));
    expect(fixture.calls.commands()).toEqual(['UpdateItem', 'PutItem']);
    fixture.clock.now += 1;
    fixture.calls.reset();
    submissionId(await environment.server(sender));
    expect(fixture.calls.commands()).toContain('GetItem');
  });

  test.each(SURFACES)('survives a flood on %s: a real sender still takes two calls', async (surface) => {
    const [sender, suspended] = [await fixture.newSender(), await fixture.newSender()];
    await fixture.administration.suspendWorkspace(suspended.workspaceId);
    const guessed = { ...sender, token: `${sender.token.slice(0, -4)}AAAA`, secret: 'guessed by somebody' };
    const environment = fixture.newEnvironment();
    submissionId(await environment.send(surface, sender));
    for (const refused of [guessed, suspended, { ...guessed, slug: 'unknown-form' }]) {
      for (let sent = 0; sent < 5; sent += 1)
        expect(await environment.send(surface, refused)).toEqual(REJECTED);
    }
    fixture.calls.reset();
    submissionId(await environment.send(surface, sender));
    expect(fixture.calls.commands()).toEqual(['UpdateItem', 'PutItem']);
  });
});
