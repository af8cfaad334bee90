import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from '@jest/globals';
import { rateWindowsAt } from '#model/limits.ts';
import { openSubmissionFixture, REJECTED, type Sender } from './submission-fixture.ts';

// That conflicts, throttling and lost responses are retried until they end is tested under faults: test/faults.
const fixture = openSubmissionFixture();

afterEach(() => fixture.calls.injectBefore(undefined));

const throttled = () => Object.assign(new Error('injected'), { name: 'ThrottlingException' });
/** DynamoDB Local shows none. As AWS sends it: without an item. */
const conflict = () =>
  new TransactionCanceledException({
    $metadata: {},
    message: 'injected',
    CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
  });

test.each([
  ['a throttled gate', 'UpdateItem', throttled, 'ThrottlingException'],
  ['a conflict with a duplicate', 'TransactWriteItems', conflict, 'AbortError'],
])('%s that does not end is given up at the deadline', async (_, failing, error, logged) => {
  const sender = await fixture.newSender();
  fixture.calls.injectBefore((command) => (command === failing ? error() : undefined));
  const environment = fixture.newEnvironment({ deadlineMilliseconds: 700 });
  const headers = { 'X-SVC-Idempotency-Key': 'k' };
  expect(await environment.server(sender, { headers })).toEqual(REJECTED);
  expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({ internal_error: 1 });
  expect(environment.logLines.join()).toContain('submission.deadline_passed');
  expect(environment.logLines.join()).toContain(logged);
});

describe('a remembered denial', () => {
  const changes = {
    workspace_suspended: ({ workspaceId }: Sender) => fixture.administration.suspendWorkspace(workspaceId),
    token_revoked: ({ tokenId }: Sender) => fixture.administration.revokeToken(tokenId),
    form_inactive: ({ formId }: Sender) => fixture.administration.setFormActive({ formId, active: false }),
  };

  async function denied() {
    fixture.clock.now = Date.parse('2026-11-15T12:00:10Z');
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    await fixture.pretendCounted(sender, rateWindowsAt('1a', fixture.clock.now).dayCounter, 50_000);
    await environment.server(sender);
    return { sender, environment };
  }

  test.each(Object.entries(changes))('gives way to %s within a second', async (reason, change) => {
    const { sender, environment } = await denied();
    await change(sender);
    fixture.clock.now += 1_000;
    await environment.server(sender);
    expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({
      rate_limited_day: 1,
      [reason]: 1,
    });
  });

  test('is valid only for the configuration that it was made with', async () => {
    const { sender, environment } = await denied();
    await fixture.administration.suspendWorkspace(sender.workspaceId);
    await fixture.administration.resumeWorkspace(sender.workspaceId);
    fixture.clock.now += 1_000;
    fixture.calls.reset();
    await environment.server(sender);
    // The confirmation, the configuration read again, the gate, and the record of the rejection.
    expect(fixture.calls.commands().slice(0, 5)).toEqual([
      'BatchGetItem',
      'GetItem',
      'BatchGetItem',
      'BatchGetItem',
      'UpdateItem',
    ]);
    expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({ rate_limited_day: 2 });
  });

  test('is confirmed by one read per second, and by no write', async () => {
    const { sender, environment } = await denied();
    fixture.clock.now += 1_000;
    fixture.calls.reset();
    for (let i = 0; i < 5; i += 1) await environment.server(sender);
    const commands = fixture.calls.commands();
    expect(commands.filter((command) => command === 'BatchGetItem')).toHaveLength(1);
    expect(commands.filter((command) => command === 'UpdateItem')).toEqual([]);
    expect((await fixture.reasonsOf(sender.workspaceId)).rate_limited_day).toBe(6);
  });
});
