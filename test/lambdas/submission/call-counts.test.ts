import { describe, expect, test } from '@jest/globals';
import { openSubmissionFixture, REJECTED, submissionId } from './submission-fixture.ts';

const fixture = openSubmissionFixture();
const keyed = (key: string) => ({ headers: { 'X-SVC-Idempotency-Key': key } });

describe.each(['1a', '1b'] as const)(
  'DynamoDB calls in sequence on surface %s, configuration warm',
  (surface) => {
    async function warm() {
      const sender = await fixture.newSender();
      const environment = fixture.newEnvironment();
      submissionId(await environment.send(surface, sender, keyed('first')));
      fixture.calls.reset();
      return { sender, environment };
    }

    test('accepted without a key: 2', async () => {
      const { sender, environment } = await warm();
      submissionId(await environment.send(surface, sender));
      expect(fixture.calls.commands()).toEqual(['UpdateItem', 'PutItem']);
    });

    test('accepted with a key: 3', async () => {
      const { sender, environment } = await warm();
      submissionId(await environment.send(surface, sender, keyed('second')));
      expect(fixture.calls.commands()).toEqual(['BatchGetItem', 'UpdateItem', 'TransactWriteItems']);
    });

    test('replayed: 1', async () => {
      const { sender, environment } = await warm();
      submissionId(await environment.send(surface, sender, keyed('first')));
      expect(fixture.calls.commands()).toEqual(['BatchGetItem']);
    });

    test('replayed with another body: 2', async () => {
      const { sender, environment } = await warm();
      const other = { ...keyed('first'), body: '{"name":"another"}' };
      submissionId(await environment.send(surface, sender, other));
      expect(fixture.calls.commands()).toEqual(['BatchGetItem', 'PutItem']);
    });

    test('rejected for its body: only the record', async () => {
      const { sender, environment } = await warm();
      expect(await environment.send(surface, sender, { body: '[]' })).toEqual(REJECTED);
      expect(fixture.calls.commands()).toEqual(['PutItem']);
    });
  },
);

describe('calls that an outsider could time', () => {
  async function callsOf(send: () => Promise<unknown>) {
    fixture.calls.reset();
    expect(await send()).toEqual(REJECTED);
    return { commands: fixture.calls.commands().toSorted(), inSequence: fixture.calls.inSequence() };
  }

  test.each(['cold', 'warm'])(
    'an unknown token makes the same calls as a revoked one (%s)',
    async (state) => {
      const sender = await fixture.newSender();
      const environment = fixture.newEnvironment();
      if (state === 'warm') submissionId(await environment.server(sender));
      await fixture.administration.revokeToken(sender.tokenId);
      if (state === 'warm') await environment.server(sender);
      const revoked = await callsOf(() => environment.server(sender));
      const unknown = await callsOf(() =>
        environment.server({ ...sender, token: `${sender.token.slice(0, -1)}_` }),
      );
      expect(unknown).toEqual(revoked);
      expect(unknown.inSequence).toBeLessThanOrEqual(3);
    },
  );

  test.each(['cold', 'warm'])(
    'an unknown slug makes the same calls as a known one with a bad signature (%s)',
    async (state) => {
      const sender = await fixture.newSender();
      const environment = fixture.newEnvironment();
      if (state === 'warm') submissionId(await environment.webhook(sender));
      const forger = { ...sender, secret: 'guessed by somebody' };
      const known = await callsOf(() => environment.webhook(forger));
      const unknown = await callsOf(() => environment.webhook(forger, { slug: `${sender.slug}-x` }));
      expect(unknown).toEqual(known);
      expect(unknown.inSequence).toBeLessThanOrEqual(3);
    },
  );

  test('an oversized body makes the same calls for an unknown slug as for a known one', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    const body = Buffer.alloc(131_073, 32);
    const known = await callsOf(() => environment.webhook(sender, { body }));
    const unknown = await callsOf(() => environment.webhook(sender, { body, slug: 'nobody-has-this' }));
    expect(unknown).toEqual(known);
  });
});
