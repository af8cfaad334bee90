import {
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from '@jest/globals';
import { rateWindowsAt } from '#submission/limits.ts';
import { openWorkbench, REJECTED, type Sender, submissionId } from './workbench.ts';

// DynamoDB Local never shows a conflict, so these are injected at the client, as AWS sends them: without an item.
const bench = openWorkbench();
const keyed = { headers: { 'X-SVC-Idempotency-Key': 'k' } };
const meta = { $metadata: {}, message: 'injected' };

const conflict = () =>
  new TransactionCanceledException({
    ...meta,
    CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
  });

afterEach(() => {
  bench.calls.injectBefore(undefined);
  bench.calls.injectAfter(undefined);
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
    const sender = await bench.newSender();
    bench.calls.injectBefore(failing('TransactWriteItems', error(), error(), error()));
    const id = submissionId(await bench.newEnvironment().server(sender, keyed));
    expect(await bench.leadIdsOf(sender.formId)).toEqual([id]);
  });

  test('ends with the answer of the duplicate that got through', async () => {
    const sender = await bench.newSender();
    let original: unknown;
    bench.calls.injectBefore(async (command) => {
      if (command !== 'TransactWriteItems' || original) return undefined;
      original = true;
      original = await bench.newEnvironment().server(sender, keyed);
      throw conflict();
    });
    const answer = await bench.newEnvironment().server(sender, keyed);
    expect(answer).toEqual(original);
    expect(await bench.leadIdsOf(sender.formId)).toEqual([submissionId(answer)]);
  });

  test('that does not end is given up at the deadline', async () => {
    const sender = await bench.newSender();
    bench.calls.injectBefore((command) => (command === 'TransactWriteItems' ? conflict() : undefined));
    const answer = await bench.newEnvironment({ deadlineMilliseconds: 700 }).server(sender, keyed);
    expect(answer).toEqual(REJECTED);
    expect(await bench.reasonsOf(sender.workspaceId)).toEqual({ internal_error: 1 });
  });

  test('does not keep a denial from writing its marker', async () => {
    const sender = await bench.newSender();
    await bench.pretendCounted(sender, rateWindowsAt('1a', bench.clock.now).minuteCounter, 1_000);
    let conflicts = 0;
    bench.calls.injectBefore((_, input) => {
      const isMark = 'UpdateExpression' in (input as object) && 'keyHash' in ((input as Marking).Key ?? {});
      if (!isMark || conflicts > 0) return undefined;
      conflicts += 1;
      return new TransactionConflictException(meta);
    });
    expect(await bench.newEnvironment().server(sender, keyed)).toEqual(REJECTED);
    expect(conflicts).toBe(1);
    expect(await bench.reasonsOf(sender.workspaceId)).toEqual({ rate_limited_minute: 1 });
  });
});

describe('an answer that was lost after the write', () => {
  const lost = () => Object.assign(new Error('socket hang up'), { name: 'TimeoutError' });

  test('makes no second lead: the retry finds its own and succeeds', async () => {
    const sender = await bench.newSender();
    // Below the SDK's retries, as a cut connection is: the first attempt is carried out, and its answer is lost.
    let cut = false;
    bench.client.middlewareStack.add(
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
    const id = submissionId(await bench.newEnvironment().server(sender));
    bench.client.middlewareStack.remove('cutOnce');
    expect(cut).toBe(true);
    expect(await bench.leadIdsOf(sender.formId)).toEqual([id]);
  });

  test('of a submission with a key is returned when the sender retries', async () => {
    const sender = await bench.newSender();
    bench.calls.injectAfter(failing('TransactWriteItems', lost()));
    expect(await bench.newEnvironment().server(sender, keyed)).toEqual(REJECTED);
    const id = submissionId(await bench.newEnvironment().server(sender, keyed));
    expect(await bench.leadIdsOf(sender.formId)).toEqual([id]);
  });
});

describe('a remembered denial', () => {
  const changes = {
    workspace_suspended: ({ workspaceId }: Sender) => bench.administration.suspendWorkspace(workspaceId),
    token_revoked: ({ tokenId }: Sender) => bench.administration.revokeToken(tokenId),
    form_inactive: ({ formId }: Sender) => bench.administration.setFormActive({ formId, active: false }),
  };

  async function denied() {
    bench.clock.now = Date.parse('2026-11-15T12:00:10Z');
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    await bench.pretendCounted(sender, rateWindowsAt('1a', bench.clock.now).dayCounter, 50_000);
    await environment.server(sender);
    return { sender, environment };
  }

  test.each(Object.entries(changes))('gives way to %s within a second', async (reason, change) => {
    const { sender, environment } = await denied();
    await change(sender);
    bench.clock.now += 1_000;
    await environment.server(sender);
    expect(await bench.reasonsOf(sender.workspaceId)).toEqual({
      rate_limited_day: 1,
      [reason]: 1,
    });
  });

  test('is valid only for the configuration that it was made with', async () => {
    const { sender, environment } = await denied();
    await bench.administration.suspendWorkspace(sender.workspaceId);
    await bench.administration.resumeWorkspace(sender.workspaceId);
    bench.clock.now += 1_000;
    bench.calls.reset();
    await environment.server(sender);
    // The confirmation, the configuration read again, the gate, and the record of the rejection.
    expect(bench.calls.commands().slice(0, 5)).toEqual([
      'BatchGetItem',
      'GetItem',
      'BatchGetItem',
      'BatchGetItem',
      'UpdateItem',
    ]);
    expect(await bench.reasonsOf(sender.workspaceId)).toEqual({ rate_limited_day: 2 });
  });

  test('is confirmed by one read per second, and by no write', async () => {
    const { sender, environment } = await denied();
    bench.clock.now += 1_000;
    bench.calls.reset();
    for (let i = 0; i < 5; i += 1) await environment.server(sender);
    const commands = bench.calls.commands();
    expect(commands.filter((command) => command === 'BatchGetItem')).toHaveLength(1);
    expect(commands.filter((command) => command === 'UpdateItem')).toEqual([]);
    expect((await bench.reasonsOf(sender.workspaceId)).rate_limited_day).toBe(6);
  });
});

describe('a throttled gate', () => {
  const throttled = (name: string) => Object.assign(new Error('injected'), { name });
  const isGateWrite = (command: string, input: unknown) =>
    command === 'UpdateItem' && (input as { TableName?: string }).TableName === bench.stack.tables.workspaces;

  afterEach(() => bench.calls.injectBefore(undefined));

  // Above the SDK's own three attempts: each of these errors is what it throws when it has given up.
  test.each(['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'])(
    '%s delays the lead, and counts it once',
    async (name) => {
      const sender = await bench.newSender();
      let left = 4;
      bench.calls.injectBefore((command, input) => {
        if (!isGateWrite(command, input) || left === 0) return undefined;
        left -= 1;
        return throttled(name);
      });
      const id = submissionId(await bench.newEnvironment().server(sender));
      expect(left).toBe(0);
      expect(await bench.leadIdsOf(sender.formId)).toEqual([id]);
      const { minuteCounter } = rateWindowsAt('1a', bench.clock.now);
      expect((await bench.workspaceItem(sender.workspaceId))[minuteCounter]).toBe(1);
    },
  );

  test('and a throttled table of leads both delay the lead', async () => {
    const sender = await bench.newSender();
    let left = 4;
    bench.calls.injectBefore((_command, input) => {
      if ((input as { TableName?: string }).TableName !== bench.stack.tables.leads || left === 0)
        return undefined;
      left -= 1;
      return throttled('ThrottlingException');
    });
    const id = submissionId(await bench.newEnvironment().server(sender));
    expect(left).toBe(0);
    expect(await bench.leadIdsOf(sender.formId)).toEqual([id]);
  });

  test('is given up at the deadline, and the log says why', async () => {
    const sender = await bench.newSender();
    bench.calls.injectBefore((command, input) =>
      isGateWrite(command, input) ? throttled('ThrottlingException') : undefined,
    );
    const environment = bench.newEnvironment({ deadlineMilliseconds: 700 });
    expect(await environment.server(sender)).toEqual(REJECTED);
    expect(await bench.reasonsOf(sender.workspaceId)).toEqual({ internal_error: 1 });
    expect(environment.logLines.join()).toContain('submission.deadline_passed');
    expect(environment.logLines.join()).toContain('ThrottlingException');
  });
});
