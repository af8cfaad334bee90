import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { rateWindowsAt, type Surface } from '#submission/limits.ts';
import { crowd, openWorkbench, REJECTED, SAMPLE, type Sender, submissionId } from './workbench.ts';

const bench = openWorkbench();
const NOON = Date.parse('2026-11-15T12:00:10Z');
const HOURS_24 = 24 * 60 * 60 * 1000;
const keyed = (key: string, body: string = SAMPLE) => ({ headers: { 'X-SVC-Idempotency-Key': key }, body });

beforeEach(() => {
  bench.clock.now = NOON;
});

describe('a repeated key', () => {
  test.each([
    ['1a', '1a'],
    ['1b', '1b'],
    ['1a', '1b'],
    ['1b', '1a'],
  ] as const)(
    'first on %s, then on %s, gets the original response and makes no second lead',
    async (first, second) => {
      const sender = await bench.newSender();
      const original = await bench.newEnvironment().send(first, sender, keyed('order-1'));
      submissionId(original);
      expect(await bench.newEnvironment().send(second, sender, keyed('order-1'))).toEqual(original);
      expect(await bench.leadIdsOf(sender.formId)).toHaveLength(1);
    },
  );

  test('gets the original response with another body too, even with invalid JSON', async () => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    const original = await environment.server(sender, keyed('k'));
    expect(await environment.server(sender, keyed('k', '{"other":true}'))).toEqual(original);
    expect(await environment.server(sender, keyed('k', 'nonsense'))).toEqual(original);
    expect((await bench.leadById(submissionId(original)))?.body).toBe(SAMPLE);
  });

  test('is another key in another workspace', async () => {
    const [one, other] = [await bench.newSender(), await bench.newSender()];
    const environment = bench.newEnvironment();
    const ids = [await environment.server(one, keyed('k')), await environment.server(other, keyed('k'))].map(
      submissionId,
    );
    expect(ids[0]).not.toBe(ids[1]);
  });

  test('is remembered for exactly 24 hours, whenever DynamoDB deletes the record', async () => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    const original = await environment.server(sender, keyed('k'));
    bench.clock.now = NOON + HOURS_24 - 1;
    expect(await environment.server(sender, keyed('k'))).toEqual(original);
    // The expired record is still in the table: DynamoDB Local has not deleted it, and AWS may take days.
    bench.clock.now = NOON + HOURS_24;
    const renewed = await environment.server(sender, keyed('k'));
    expect(submissionId(renewed)).not.toBe(submissionId(original));
    expect(await environment.server(sender, keyed('k'))).toEqual(renewed);
  });

  test('is not remembered longer if it is repeated', async () => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    const original = await environment.server(sender, keyed('k'));
    bench.clock.now = NOON + HOURS_24 - 1_000;
    await environment.server(sender, keyed('k'));
    bench.clock.now = NOON + HOURS_24;
    expect(submissionId(await environment.server(sender, keyed('k')))).not.toBe(submissionId(original));
  });

  test('does not count against the limits', async () => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    for (let i = 0; i < 5; i += 1) await environment.server(sender, keyed('k'));
    const counter = rateWindowsAt('1a', bench.clock.now).minuteCounter;
    expect((await bench.workspaceItem(sender.workspaceId))[counter]).toBe(1);
  });

  test('after a rejection is not a replay, because nothing was stored', async () => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    expect(await environment.server(sender, keyed('k', 'no json'))).toEqual(REJECTED);
    submissionId(await environment.server(sender, keyed('k')));
  });
});

async function fillMinute(sender: Sender, count: number) {
  await bench.observer.send(
    new UpdateCommand({
      TableName: bench.stack.tables.workspaces,
      Key: { workspaceId: sender.workspaceId },
      UpdateExpression: 'SET #a = :count, #b = :count',
      ExpressionAttributeNames: {
        '#a': rateWindowsAt('1a', bench.clock.now).minuteCounter,
        '#b': rateWindowsAt('1b', bench.clock.now).minuteCounter,
      },
      ExpressionAttributeValues: { ':count': count },
    }),
  );
}

describe('50 concurrent requests with one key', () => {
  const fifty = (sender: Sender, surfaces: readonly [Surface, Surface] = ['1a', '1b']) =>
    crowd(50, 50, (index) =>
      bench.newEnvironment().send(surfaces[index % 2] as Surface, sender, keyed('same')),
    );

  test('make one lead and get 50 identical answers', async () => {
    const sender = await bench.newSender();
    const answers = await fifty(sender);
    submissionId(answers[0] as { statusCode: number; body: string });
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await bench.leadIdsOf(sender.formId)).toHaveLength(1);
  });

  // Without the denial marker one of them takes the last permit and answers 202 while the others are rejected.
  test.each([
    ['1a', 999],
    ['1b', 998],
    ['1b', 990],
  ] as const)('agree when they meet at the limit of surface %s, at %i of 1,000', async (surface, count) => {
    const sender = await bench.newSender();
    await fillMinute(sender, count);
    const answers = await fifty(sender, [surface, surface]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const leads = await bench.leadIdsOf(sender.formId);
    expect(leads).toHaveLength(answers[0]?.statusCode === 202 ? 1 : 0);

    bench.clock.now += 60_000;
    const retried = await bench.newEnvironment().server(sender, keyed('same'));
    submissionId(retried);
    expect(await bench.leadIdsOf(sender.formId)).toHaveLength(1);
  });
});

describe('a submission that the gate denies', () => {
  test('writes a marker, so that a slower duplicate gets the same answer', async () => {
    const sender = await bench.newSender();
    await fillMinute(sender, 999);
    // The winner of the last permit is held up between gate and write, and its duplicate is denied meanwhile.
    let denied: unknown;
    bench.calls.injectBefore(async (command) => {
      if (command !== 'TransactWriteItems' || denied) return undefined;
      denied = true;
      denied = await bench.newEnvironment().server(sender, keyed('k'));
      return undefined;
    });
    const winner = await bench.newEnvironment().server(sender, keyed('k'));
    bench.calls.injectBefore(undefined);
    expect(denied).toEqual(REJECTED);
    expect(winner).toEqual(REJECTED);
    expect(await bench.reasonsOf(sender.workspaceId)).toEqual({ rate_limited_minute: 2 });

    bench.clock.now += 60_000;
    submissionId(await bench.newEnvironment().server(sender, keyed('k')));
  });

  test.each([
    ['1a', '1b'],
    ['1b', '1a'],
  ] as const)('on surface %s does not deny its duplicate on %s, which has room', async (full, free) => {
    const sender = await bench.newSender();
    await bench.pretendCounted(sender, rateWindowsAt(full, bench.clock.now).minuteCounter, 1_000);
    let denied: unknown;
    bench.calls.injectBefore(async (command) => {
      if (command !== 'TransactWriteItems' || denied) return undefined;
      denied = true;
      denied = await bench.newEnvironment().send(full, sender, keyed('k'));
      return undefined;
    });
    const accepted = await bench.newEnvironment().send(free, sender, keyed('k'));
    bench.calls.injectBefore(undefined);
    expect(denied).toEqual(REJECTED);
    submissionId(accepted);
    // From the acceptance on, the full surface gives the original too.
    expect(await bench.newEnvironment().send(full, sender, keyed('k'))).toEqual(accepted);
  });

  test('keeps its marker when its duplicate on the other surface is denied too', async () => {
    const sender = await bench.newSender();
    await fillMinute(sender, 999);
    await bench.pretendCounted(sender, rateWindowsAt('1b', bench.clock.now).minuteCounter, 1_000);
    let held = false;
    bench.calls.injectBefore(async (command) => {
      if (command !== 'TransactWriteItems' || held) return undefined;
      held = true;
      for (const surface of ['1a', '1b'] as const) {
        expect(await bench.newEnvironment().send(surface, sender, keyed('k'))).toEqual(REJECTED);
      }
      return undefined;
    });
    expect(await bench.newEnvironment().server(sender, keyed('k'))).toEqual(REJECTED);
    bench.calls.injectBefore(undefined);
    expect(await bench.leadIdsOf(sender.formId)).toEqual([]);
  });

  test('is not mistaken for a new denial when the other surface renews its expired marker', async () => {
    const sender = await bench.newSender();
    await fillMinute(sender, 1_000);
    expect(await bench.newEnvironment().server(sender, keyed('k'))).toEqual(REJECTED);
    bench.clock.now += 11 * 60_000;
    await bench.pretendCounted(sender, rateWindowsAt('1b', bench.clock.now).minuteCounter, 1_000);
    let denied: unknown;
    bench.calls.injectBefore(async (command) => {
      if (command !== 'TransactWriteItems' || denied) return undefined;
      denied = true;
      denied = await bench.newEnvironment().webhook(sender, keyed('k'));
      return undefined;
    });
    submissionId(await bench.newEnvironment().server(sender, keyed('k')));
    bench.calls.injectBefore(undefined);
    expect(denied).toEqual(REJECTED);
  });

  test('answers with the acceptance if a duplicate was accepted meanwhile', async () => {
    const sender = await bench.newSender();
    await fillMinute(sender, 999);
    // Held up between its pre-read, which saw nothing, and the gate; the duplicate takes the last permit.
    let original: unknown;
    bench.calls.injectBefore(async (command) => {
      if (command !== 'UpdateItem' || original) return undefined;
      original = true;
      original = await bench.newEnvironment().server(sender, keyed('k'));
      return undefined;
    });
    const late = await bench.newEnvironment().server(sender, keyed('k'));
    bench.calls.injectBefore(undefined);
    submissionId(late);
    expect(late).toEqual(original);
    expect(await bench.leadIdsOf(sender.formId)).toHaveLength(1);
  });
});
