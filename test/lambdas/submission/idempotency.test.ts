import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
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
  test('gets the original response with another body too, even with invalid JSON', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    const original = await environment.server(sender, keyed('k'));
    expect(await environment.server(sender, keyed('k', '{"other":true}'))).toEqual(original);
    expect(await environment.server(sender, keyed('k', 'nonsense'))).toEqual(original);
    expect((await fixture.leadById(submissionId(original)))?.body).toBe(SAMPLE);
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
    await fixture.pretendCounted(sender, rateWindowsAt(surface, fixture.clock.now).minuteCounter, count);
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

// Schedules under faults have the other races of a denial (test/faults); these two need both surfaces full.
describe('a submission that the gate denies', () => {
  /** What happens once, while the first write of a lead is held up. */
  function meanwhile<Result>(work: () => Promise<Result>) {
    const seen: { result?: Result } = {};
    let isBegun = false;
    fixture.calls.injectBefore(async (called) => {
      if (called !== 'TransactWriteItems' || isBegun) return undefined;
      isBegun = true;
      seen.result = await work();
      return undefined;
    });
    return seen;
  }
  const send = (surface: Surface, sender: Sender) =>
    fixture.newEnvironment().send(surface, sender, keyed('k'));
  const fillMinute = (surface: Surface, sender: Sender, count: number) =>
    fixture.pretendCounted(sender, rateWindowsAt(surface, fixture.clock.now).minuteCounter, count);

  afterEach(() => fixture.calls.injectBefore(undefined));

  test('keeps its marker when its duplicate on the other surface is denied too', async () => {
    const sender = await fixture.newSender();
    await fillMinute('1a', sender, 999);
    await fillMinute('1b', sender, 1_000);
    const denied = meanwhile(async () => [await send('1a', sender), await send('1b', sender)]);
    expect(await send('1a', sender)).toEqual(REJECTED);
    expect(denied.result).toEqual([REJECTED, REJECTED]);
    expect(await fixture.leadIdsOf(sender.formId)).toEqual([]);
  });

  test('is not mistaken for a new denial when the other surface renews its expired marker', async () => {
    const sender = await fixture.newSender();
    await fillMinute('1a', sender, 1_000);
    expect(await send('1a', sender)).toEqual(REJECTED);
    fixture.clock.now += 11 * 60_000;
    await fillMinute('1b', sender, 1_000);
    const denied = meanwhile(() => send('1b', sender));
    submissionId(await send('1a', sender));
    expect(denied.result).toEqual(REJECTED);
  });
});
