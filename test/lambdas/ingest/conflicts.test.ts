import {
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from '@jest/globals';
import { rateWindowsAt } from '#submission/limits.ts';
import { openWorkbench, REJECTED, submissionId } from './workbench.ts';

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

/** Fails the first calls of a command with the errors given, one each. */
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

  test('that never ends is given up at the deadline', async () => {
    const sender = await bench.newSender();
    bench.calls.injectBefore((command) => (command === 'TransactWriteItems' ? conflict() : undefined));
    const answer = await bench.newEnvironment({ deadlineMilliseconds: 700 }).server(sender, keyed);
    expect(answer).toEqual(REJECTED);
    expect(await bench.reasonsOf(sender.workspaceId)).toEqual({ internal_error: 1 });
  });

  test('does not keep a denial from leaving its marker', async () => {
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

  test('makes no second lead: the retry finds its own and takes it for success', async () => {
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

  test('of a keyed submission is given to the sender who tries again', async () => {
    const sender = await bench.newSender();
    bench.calls.injectAfter(failing('TransactWriteItems', lost()));
    expect(await bench.newEnvironment().server(sender, keyed)).toEqual(REJECTED);
    const id = submissionId(await bench.newEnvironment().server(sender, keyed));
    expect(await bench.leadIdsOf(sender.formId)).toEqual([id]);
  });
});
