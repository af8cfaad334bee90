import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { rateWindowsAt, type Surface } from '#model/limits.ts';
import {
  crowd,
  openSubmissionFixture,
  REJECTED,
  SAMPLE,
  type Sender,
  submissionId,
} from './submission-fixture.ts';

const fixture = openSubmissionFixture();
const NOON = Date.parse('2026-11-15T12:00:10Z');
const HOURS_24 = 24 * 60 * 60 * 1000;
const keyed = (key: string, body: string = SAMPLE) => ({ headers: { 'X-SVC-Idempotency-Key': key }, body });

beforeEach(() => {
  fixture.clock.now = NOON;
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
      const sender = await fixture.newSender();
      const original = await fixture.newEnvironment().send(first, sender, keyed('order-1'));
      submissionId(original);
      expect(await fixture.newEnvironment().send(second, sender, keyed('order-1'))).toEqual(original);
      expect(await fixture.leadIdsOf(sender.formId)).toHaveLength(1);
    },
  );

  test('gets the original response with another body too, even with invalid JSON', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    const original = await environment.server(sender, keyed('k'));
    expect(await environment.server(sender, keyed('k', '{"other":true}'))).toEqual(original);
    expect(await environment.server(sender, keyed('k', 'nonsense'))).toEqual(original);
    expect((await fixture.leadById(submissionId(original)))?.body).toBe(SAMPLE);
  });

  test('is another key in another workspace', async () => {
    const [one, other] = [await fixture.newSender(), await fixture.newSender()];
    const environment = fixture.newEnvironment();
    const ids = [await environment.server(one, keyed('k')), await environment.server(other, keyed('k'))].map(
      submissionId,
    );
    expect(ids[0]).not.toBe(ids[1]);
  });

  test('is remembered for exactly 24 hours, whenever DynamoDB deletes the record', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    const original = await environment.server(sender, keyed('k'));
    fixture.clock.now = NOON + HOURS_24 - 1;
    expect(await environment.server(sender, keyed('k'))).toEqual(original);
    // The expired record is still in the table: DynamoDB Local has not deleted it, and AWS may take days.
    fixture.clock.now = NOON + HOURS_24;
    const renewed = await environment.server(sender, keyed('k'));
    expect(submissionId(renewed)).not.toBe(submissionId(original));
    expect(await environment.server(sender, keyed('k'))).toEqual(renewed);
  });

  test('is not remembered longer if it is repeated', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    const original = await environment.server(sender, keyed('k'));
    fixture.clock.now = NOON + HOURS_24 - 1_000;
    await environment.server(sender, keyed('k'));
    fixture.clock.now = NOON + HOURS_24;
    expect(submissionId(await environment.server(sender, keyed('k')))).not.toBe(submissionId(original));
  });

  test('does not count against the limits', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    for (let i = 0; i < 5; i += 1) await environment.server(sender, keyed('k'));
    const counter = rateWindowsAt('1a', fixture.clock.now).minuteCounter;
    expect((await fixture.workspaceItem(sender.workspaceId))[counter]).toBe(1);
  });

  test('after a rejection is not a replay, because nothing was stored', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    expect(await environment.server(sender, keyed('k', 'no json'))).toEqual(REJECTED);
    submissionId(await environment.server(sender, keyed('k')));
  });
});

async function fillMinute(sender: Sender, count: number) {
  await fixture.observer.send(
    new UpdateCommand({
      TableName: fixture.stack.tables.workspaces,
      Key: { workspaceId: sender.workspaceId },
      UpdateExpression: 'SET #a = :count, #b = :count',
      ExpressionAttributeNames: {
        '#a': rateWindowsAt('1a', fixture.clock.now).minuteCounter,
        '#b': rateWindowsAt('1b', fixture.clock.now).minuteCounter,
      },
      ExpressionAttributeValues: { ':count': count },
    }),
  );
}

describe('50 concurrent requests with one key', () => {
  const fifty = (sender: Sender, surfaces: readonly [Surface, Surface] = ['1a', '1b']) =>
    crowd(50, 50, (index) =>
      fixture.newEnvironment().send(surfaces[index % 2] as Surface, sender, keyed('same')),
    );

  test('make one lead and get 50 identical responses', async () => {
    const sender = await fixture.newSender();
    const responses = await fifty(sender);
    submissionId(responses[0] as { statusCode: number; body: string });
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(await fixture.leadIdsOf(sender.formId)).toHaveLength(1);
  });

  // Without the denial marker one of them takes the last permit and returns 202 while the others are rejected.
  test.each([
    ['1a', 999],
    ['1b', 998],
    ['1b', 990],
  ] as const)('agree when they meet at the limit of surface %s, at %i of 1,000', async (surface, count) => {
    const sender = await fixture.newSender();
    await fillMinute(sender, count);
    const responses = await fifty(sender, [surface, surface]);
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    const leads = await fixture.leadIdsOf(sender.formId);
    expect(leads).toHaveLength(responses[0]?.statusCode === 202 ? 1 : 0);

    fixture.clock.now += 60_000;
    const retried = await fixture.newEnvironment().server(sender, keyed('same'));
    submissionId(retried);
    expect(await fixture.leadIdsOf(sender.formId)).toHaveLength(1);
  });
});

describe('a submission that the gate denies', () => {
  test('writes a marker, so that a slower duplicate gets the same response', async () => {
    const sender = await fixture.newSender();
    await fillMinute(sender, 999);
    // The winner of the last permit is held up between gate and write, and its duplicate is denied meanwhile.
    let denied: unknown;
    fixture.calls.injectBefore(async (command) => {
      if (command !== 'TransactWriteItems' || denied) return undefined;
      denied = true;
      denied = await fixture.newEnvironment().server(sender, keyed('k'));
      return undefined;
    });
    const winner = await fixture.newEnvironment().server(sender, keyed('k'));
    fixture.calls.injectBefore(undefined);
    expect(denied).toEqual(REJECTED);
    expect(winner).toEqual(REJECTED);
    expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({ rate_limited_minute: 2 });

    fixture.clock.now += 60_000;
    submissionId(await fixture.newEnvironment().server(sender, keyed('k')));
  });

  test.each([
    ['1a', '1b'],
    ['1b', '1a'],
  ] as const)('on surface %s does not deny its duplicate on %s, which has room', async (full, free) => {
    const sender = await fixture.newSender();
    await fixture.pretendCounted(sender, rateWindowsAt(full, fixture.clock.now).minuteCounter, 1_000);
    let denied: unknown;
    fixture.calls.injectBefore(async (command) => {
      if (command !== 'TransactWriteItems' || denied) return undefined;
      denied = true;
      denied = await fixture.newEnvironment().send(full, sender, keyed('k'));
      return undefined;
    });
    const accepted = await fixture.newEnvironment().send(free, sender, keyed('k'));
    fixture.calls.injectBefore(undefined);
    expect(denied).toEqual(REJECTED);
    submissionId(accepted);
    // From the acceptance on, the full surface gives the original too.
    expect(await fixture.newEnvironment().send(full, sender, keyed('k'))).toEqual(accepted);
  });

  test('keeps its marker when its duplicate on the other surface is denied too', async () => {
    const sender = await fixture.newSender();
    await fillMinute(sender, 999);
    await fixture.pretendCounted(sender, rateWindowsAt('1b', fixture.clock.now).minuteCounter, 1_000);
    let held = false;
    fixture.calls.injectBefore(async (command) => {
      if (command !== 'TransactWriteItems' || held) return undefined;
      held = true;
      for (const surface of ['1a', '1b'] as const) {
        expect(await fixture.newEnvironment().send(surface, sender, keyed('k'))).toEqual(REJECTED);
      }
      return undefined;
    });
    expect(await fixture.newEnvironment().server(sender, keyed('k'))).toEqual(REJECTED);
    fixture.calls.injectBefore(undefined);
    expect(await fixture.leadIdsOf(sender.formId)).toEqual([]);
  });

  test('is not mistaken for a new denial when the other surface renews its expired marker', async () => {
    const sender = await fixture.newSender();
    await fillMinute(sender, 1_000);
    expect(await fixture.newEnvironment().server(sender, keyed('k'))).toEqual(REJECTED);
    fixture.clock.now += 11 * 60_000;
    await fixture.pretendCounted(sender, rateWindowsAt('1b', fixture.clock.now).minuteCounter, 1_000);
    let denied: unknown;
    fixture.calls.injectBefore(async (command) => {
      if (command !== 'TransactWriteItems' || denied) return undefined;
      denied = true;
      denied = await fixture.newEnvironment().webhook(sender, keyed('k'));
      return undefined;
    });
    submissionId(await fixture.newEnvironment().server(sender, keyed('k')));
    fixture.calls.injectBefore(undefined);
    expect(denied).toEqual(REJECTED);
  });

  test('responds with the acceptance if a duplicate was accepted meanwhile', async () => {
    const sender = await fixture.newSender();
    await fillMinute(sender, 999);
    // Held up between its pre-read, which saw nothing, and the gate; the duplicate takes the last permit.
    let original: unknown;
    fixture.calls.injectBefore(async (command) => {
      if (command !== 'UpdateItem' || original) return undefined;
      original = true;
      original = await fixture.newEnvironment().server(sender, keyed('k'));
      return undefined;
    });
    const late = await fixture.newEnvironment().server(sender, keyed('k'));
    fixture.calls.injectBefore(undefined);
    submissionId(late);
    expect(late).toEqual(original);
    expect(await fixture.leadIdsOf(sender.formId)).toHaveLength(1);
  });
});
