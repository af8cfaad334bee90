import {
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from '@jest/globals';
import { rateWindowsAt } from '#model/limits.ts';
import { openSubmissionFixture, REJECTED, type Sender, submissionId } from './submission-fixture.ts';

// DynamoDB Local never shows a conflict, so these are injected at the client, as AWS sends them: without an item.
const fixture = openSubmissionFixture();
const keyed = { headers: { 'X-SVC-Idempotency-Key': 'k' } };
const meta = { $metadata: {}, message: 'injected' };

const conflict = () =>
  new TransactionCanceledException({
    ...meta,
    CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
  });

afterEach(() => {
  fixture.calls.injectBefore(undefined);
  fixture.calls.injectAfter(undefined);
});

interface Marking {
  readonly Key?: Readonly<Record<string, unknown>>;
}

/** Fails the first calls of a command, each with one of these errors. */
function failing(command: string, ...errors: Error[]) {
  return (called: string) => (called === command ? errors.shift() : undefined);
}

describe('a conflict with a duplicate', () => {
  test.each([
    ['TransactionConflict', conflict],
    ['TransactionInProgress', () => new TransactionInProgressException(meta)],
    [
      'throttling of the transaction',
      () =>
        new TransactionCanceledException({
          ...meta,
          CancellationReasons: [{ Code: 'ThrottlingError' }, { Code: 'None' }],
        }),
    ],
  ])('%s is retried until the pair is written', async (_, error) => {
    const sender = await fixture.newSender();
    fixture.calls.injectBefore(failing('TransactWriteItems', error(), error(), error()));
    const id = submissionId(await fixture.newEnvironment().server(sender, keyed));
    expect(await fixture.leadIdsOf(sender.formId)).toEqual([id]);
  });

  test('ends with the response of the duplicate that got through', async () => {
    const sender = await fixture.newSender();
    let original: unknown;
    fixture.calls.injectBefore(async (command) => {
      if (command !== 'TransactWriteItems' || original) return undefined;
      original = true;
      original = await fixture.newEnvironment().server(sender, keyed);
      throw conflict();
    });
    const response = await fixture.newEnvironment().server(sender, keyed);
    expect(response).toEqual(original);
    expect(await fixture.leadIdsOf(sender.formId)).toEqual([submissionId(response)]);
  });

  test('that does not end is given up at the deadline', async () => {
    const sender = await fixture.newSender();
    fixture.calls.injectBefore((command) => (command === 'TransactWriteItems' ? conflict() : undefined));
    const response = await fixture.newEnvironment({ deadlineMilliseconds: 700 }).server(sender, keyed);
    expect(response).toEqual(REJECTED);
    expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({ internal_error: 1 });
  });

  test('does not keep a denial from writing its marker', async () => {
    const sender = await fixture.newSender();
    await fixture.pretendCounted(sender, rateWindowsAt('1a', fixture.clock.now).minuteCounter, 1_000);
    let conflicts = 0;
    fixture.calls.injectBefore((_, input) => {
      const isMark = 'UpdateExpression' in (input as object) && 'keyHash' in ((input as Marking).Key ?? {});
      if (!isMark || conflicts > 0) return undefined;
      conflicts += 1;
      return new TransactionConflictException(meta);
    });
    expect(await fixture.newEnvironment().server(sender, keyed)).toEqual(REJECTED);
    expect(conflicts).toBe(1);
    expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({ rate_limited_minute: 1 });
  });
});

describe('a response that was lost after the write', () => {
  const lost = () => Object.assign(new Error('socket hang up'), { name: 'TimeoutError' });

  test('makes no second lead: the retry finds its own and succeeds', async () => {
    const sender = await fixture.newSender();
    // Below the SDK's retries, as a cut connection is: the first attempt is carried out, and its response is lost.
    let cut = false;
    fixture.client.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        const target = (args.request as { headers: Record<string, string> }).headers['x-amz-target'];
        if (target?.endsWith('.PutItem') && !cut) {
          cut = true;
          throw lost();
        }
        return result;
      },
      { step: 'deserialize', priority: 'low', name: 'cutOnce' },
    );
    const id = submissionId(await fixture.newEnvironment().server(sender));
    fixture.client.middlewareStack.remove('cutOnce');
    expect(cut).toBe(true);
    expect(await fixture.leadIdsOf(sender.formId)).toEqual([id]);
  });

  test('of a submission with a key is returned when the sender retries', async () => {
    const sender = await fixture.newSender();
    fixture.calls.injectAfter(failing('TransactWriteItems', lost()));
    expect(await fixture.newEnvironment().server(sender, keyed)).toEqual(REJECTED);
    const id = submissionId(await fixture.newEnvironment().server(sender, keyed));
    expect(await fixture.leadIdsOf(sender.formId)).toEqual([id]);
  });
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

describe('a throttled gate', () => {
  const throttled = (name: string) => Object.assign(new Error('injected'), { name });
  const isGateWrite = (command: string, input: unknown) =>
    command === 'UpdateItem' &&
    (input as { TableName?: string }).TableName === fixture.stack.tables.workspaces;

  afterEach(() => fixture.calls.injectBefore(undefined));

  // Above the SDK's own three attempts: each of these errors is what it throws when it has given up.
  test.each(['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'])(
    '%s delays the lead, and counts it once',
    async (name) => {
      const sender = await fixture.newSender();
      let left = 4;
      fixture.calls.injectBefore((command, input) => {
        if (!isGateWrite(command, input) || left === 0) return undefined;
        left -= 1;
        return throttled(name);
      });
      const id = submissionId(await fixture.newEnvironment().server(sender));
      expect(left).toBe(0);
      expect(await fixture.leadIdsOf(sender.formId)).toEqual([id]);
      const { minuteCounter } = rateWindowsAt('1a', fixture.clock.now);
      expect((await fixture.workspaceItem(sender.workspaceId))[minuteCounter]).toBe(1);
    },
  );

  test('and a throttled table of leads both delay the lead', async () => {
    const sender = await fixture.newSender();
    let left = 4;
    fixture.calls.injectBefore((_command, input) => {
      if ((input as { TableName?: string }).TableName !== fixture.stack.tables.leads || left === 0)
        return undefined;
      left -= 1;
      return throttled('ThrottlingException');
    });
    const id = submissionId(await fixture.newEnvironment().server(sender));
    expect(left).toBe(0);
    expect(await fixture.leadIdsOf(sender.formId)).toEqual([id]);
  });

  test('is given up at the deadline, and the log says why', async () => {
    const sender = await fixture.newSender();
    fixture.calls.injectBefore((command, input) =>
      isGateWrite(command, input) ? throttled('ThrottlingException') : undefined,
    );
    const environment = fixture.newEnvironment({ deadlineMilliseconds: 700 });
    expect(await environment.server(sender)).toEqual(REJECTED);
    expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({ internal_error: 1 });
    expect(environment.logLines.join()).toContain('submission.deadline_passed');
    expect(environment.logLines.join()).toContain('ThrottlingException');
  });
});
