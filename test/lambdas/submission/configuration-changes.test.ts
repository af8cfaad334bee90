import { randomBytes } from 'node:crypto';
import { GetCommand, type UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { makeRestorer } from '#operator/restore-store.ts';
import { makeAdministration } from '#workspaces/administration.ts';
import { openSubmissionFixture, REJECTED, type Sender, submissionId } from './submission-fixture.ts';

const fixture = openSubmissionFixture();
const NOON = Date.parse('2026-11-15T12:00:10Z');
const keyed = { headers: { 'X-SVC-Idempotency-Key': 'k' } };

beforeEach(() => {
  fixture.clock.now = NOON;
});

interface Change {
  readonly surfaces: readonly ('1a' | '1b')[];
  readonly reason: string;
  readonly apply: (sender: Sender) => Promise<unknown>;
}

const changes: Record<string, Change> = {
  'suspending the workspace': {
    surfaces: ['1a', '1b'],
    reason: 'workspace_suspended',
    apply: ({ workspaceId }) => fixture.administration.suspendWorkspace(workspaceId),
  },
  'revoking the token': {
    surfaces: ['1a'],
    reason: 'token_revoked',
    apply: ({ tokenId }) => fixture.administration.revokeToken(tokenId),
  },
  'deactivating the form': {
    surfaces: ['1a', '1b'],
    reason: 'form_inactive',
    apply: ({ formId }) => fixture.administration.setFormActive({ formId, active: false }),
  },
  'rotating the secret without grace': {
    surfaces: ['1b'],
    reason: 'signature_mismatch',
    apply: ({ formId }) => fixture.administration.rotateSecret({ formId }),
  },
  'setting another secret': {
    surfaces: ['1b'],
    reason: 'signature_mismatch',
    apply: ({ formId }) => fixture.administration.setSecret({ formId, secret: 'a secret we chose' }),
  },
};

const cases = Object.entries(changes).flatMap(([name, { surfaces }]) =>
  surfaces.map((surface) => [name, surface] as const),
);

describe('a change applies to the very next request of a warm function', () => {
  test.each(cases)('%s, on surface %s', async (name, surface) => {
    const { apply, reason } = changes[name] as Change;
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    submissionId(await environment.send(surface, sender, keyed));
    submissionId(await environment.send(surface, sender));
    await apply(sender);

    expect(await environment.send(surface, sender)).toEqual(REJECTED);
    // A replay does not pass the gate, but is rejected as well.
    expect(await environment.send(surface, sender, keyed)).toEqual(REJECTED);
    expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({ [reason]: 2 });
    expect(await fixture.leadIdsOf(sender.formId)).toHaveLength(2);
  });

  test.each(['1a', '1b'] as const)('resuming and activating, on surface %s', async (surface) => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    await fixture.administration.suspendWorkspace(sender.workspaceId);
    await fixture.administration.setFormActive({ formId: sender.formId, active: false });
    expect(await environment.send(surface, sender)).toEqual(REJECTED);
    await fixture.administration.resumeWorkspace(sender.workspaceId);
    expect(await environment.send(surface, sender)).toEqual(REJECTED);
    await fixture.administration.setFormActive({ formId: sender.formId, active: true });
    submissionId(await environment.send(surface, sender));
  });

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

  test('a new secret and a new token work at once', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    submissionId(await environment.webhook(sender));
    const { secret } = await fixture.administration.rotateSecret({ formId: sender.formId });
    submissionId(await environment.webhook({ ...sender, secret }));
    const { token } = await fixture.administration.createToken({ formId: sender.formId });
    submissionId(await environment.server({ ...sender, token }));
  });
});

describe('a rotation with grace', () => {
  test('accepts both secrets until the grace period ends, with warm functions', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    const { secret } = await fixture.administration.rotateSecret({
      formId: sender.formId,
      graceMilliseconds: 3_600_000,
    });
    for (const each of [sender, { ...sender, secret }]) submissionId(await environment.webhook(each));
    fixture.clock.now = NOON + 3_600_000 - 1_000;
    for (const each of [sender, { ...sender, secret }]) submissionId(await environment.webhook(each));
    fixture.clock.now = NOON + 3_600_000;
    expect(await environment.webhook(sender)).toEqual(REJECTED);
    submissionId(await environment.webhook({ ...sender, secret }));
  });

  test.each([3_600_000, 0])(
    'is not repeated by an attempt that arrives late (grace of %i ms)',
    async (graceMilliseconds) => {
      const sender = await fixture.newSender();
      const sent: UpdateCommand[] = [];
      const send = (command: UpdateCommand, ...rest: []) => {
        if (command.input.TableName === fixture.stack.tables.formSecrets) sent.push(command);
        return fixture.observer.send(command, ...rest);
      };
      const administration = makeAdministration({
        client: { ...fixture.observer, send } as typeof fixture.observer,
        tables: fixture.stack.tables,
        now: () => fixture.clock.now,
        randomBytes,
      });
      const { secret } = await administration.rotateSecret({ formId: sender.formId, graceMilliseconds });
      const stored = async () => {
        const { slug, formId } = sender;
        const TableName = fixture.stack.tables.formSecrets;
        const { Item } = await fixture.observer.send(new GetCommand({ TableName, Key: { slug, formId } }));
        return Item;
      };
      const before = await stored();
      await fixture.observer.send(sent[0] as UpdateCommand).catch((error: Error) => {
        expect(error.name).toBe('ConditionalCheckFailedException');
      });
      expect(await stored()).toEqual(before);
      submissionId(await fixture.newEnvironment().webhook({ ...sender, secret }));
    },
  );
});

describe('version before record', () => {
  // With the record read first and the version second, a revocation in between is stamped with the new version, and
  // the gate lets it pass. The revocation is made to fall between any two reads of a cold environment in turn.
  test.each([1, 2, 3, 4])(
    'accepts no token that was revoked before call %i of a cold environment',
    async (at) => {
      const sender = await fixture.newSender();
      let call = 0;
      fixture.calls.injectBefore(async () => {
        call += 1;
        if (call === at) await fixture.administration.revokeToken(sender.tokenId);
        return undefined;
      });
      const response = await fixture.newEnvironment().server(sender);
      fixture.calls.injectBefore(undefined);
      expect(response).toEqual(REJECTED);
      expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({ token_revoked: 1 });
    },
  );

  test.each([1, 2, 3, 4, 5, 6])(
    'accepts no secret that was rotated away before call %i of a cold environment',
    async (at) => {
      const sender = await fixture.newSender();
      let call = 0;
      fixture.calls.injectBefore(async () => {
        call += 1;
        if (call === at) await fixture.administration.rotateSecret({ formId: sender.formId });
        return undefined;
      });
      const response = await fixture.newEnvironment().webhook(sender);
      fixture.calls.injectBefore(undefined);
      expect(response).toEqual(REJECTED);
      expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({ signature_mismatch: 1 });
    },
  );
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

  test('survives a flood of bad signatures on the same form: its real sender still takes two calls', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    submissionId(await environment.webhook(sender));
    for (let sent = 0; sent < 5; sent += 1) {
      expect(await environment.webhook({ ...sender, secret: 'guessed by somebody' })).toEqual(REJECTED);
    }
    fixture.calls.reset();
    submissionId(await environment.webhook(sender));
    expect(fixture.calls.commands()).toEqual(['UpdateItem', 'PutItem']);
  });
});
