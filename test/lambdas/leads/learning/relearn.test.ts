import { describe, expect, test } from '@jest/globals';
import type { ScheduledEvent } from 'aws-lambda';
import { makeRelearn } from '#leads/learning/relearn/handler.ts';
import { learnedKey } from '#model/learned.ts';
import { setAttributes } from '#test/stored-items.ts';
import { NOON, openLearningFixture } from './learning-fixture.ts';

const { fixture, dependencies, calls, lines, queued, at, record, invoke, review, learn, item, ...more } =
  openLearningFixture();
const { reviewEight, learnedSignal } = more;

const outcomes = () => lines.map((line) => JSON.parse(line).code);

describe('verdicts', () => {
  test('are learned from, and change the score of the next lead', async () => {
    await reviewEight();
    expect(await learnedSignal()).toBeUndefined();
    expect(await learn()).toEqual({ batchItemFailures: [] });
    expect(await item()).toMatchObject({
      learnedAt: NOON,
      from: { good: { leads: 4, senders: 4 }, spam: { leads: 4, senders: 4 } },
      learned: { words: { backlinks: expect.any(Number) } },
      v: 1,
    });
    const signal = await learnedSignal();
    expect(signal?.weight).toBeGreaterThan(0);
    expect(signal?.words).toHaveLength(3);
  });

  test.each<[string, (leadIds: readonly string[]) => Promise<unknown>]>([
    ['that are withdrawn', (leadIds) => review(leadIds, null)],
    ['on leads that were erased', (ids) => Promise.all(ids.map((id) => at.owner.delete(`/leads/${id}`)))],
  ])('%s are unlearned', async (_, takeBack) => {
    const { good } = await reviewEight();
    await learn();
    await takeBack(good);
    await learn({ ifLearned: true });
    expect(await item()).toBeUndefined();
    expect(await learnedSignal()).toBeUndefined();
    expect(outcomes()).toEqual(['relearn.learned', 'relearn.removed']);
  });

  test('on leads that have expired are unlearned within a day', async () => {
    await at.owner.patch(`/forms/${at.sender.formId}`, { body: { retentionDays: 1 } });
    await reviewEight();
    await learn();
    fixture.clock.now += 2 * 24 * 60 * 60 * 1000;
    await makeRelearn(dependencies)({} as ScheduledEvent);
    expect(queued).toContainEqual({ task: 'learn', workspaceId: at.workspaceId, ifLearned: true });
    await learn({ ifLearned: true });
    expect(await item()).toBeUndefined();
  });
});

test('nothing is written if there is nothing to learn, and nothing is read only to unlearn', async () => {
  await learn();
  expect(await item()).toBeUndefined();
  calls.reset();
  await learn({ ifLearned: true });
  expect(calls.commands()).toEqual(['GetItem', 'GetItem']);
  expect(outcomes()).toEqual(['relearn.nothing', 'relearn.covered']);
});

describe('several messages', () => {
  test('about one workspace are handled together', async () => {
    await reviewEight();
    const message = { task: 'learn', workspaceId: at.workspaceId };
    await invoke([record({ ...message, ifLearned: true }), record(message), record(message)]);
    expect(outcomes()).toEqual(['relearn.learned']);
  });

  test('are covered by what was learned after them, unless the index may have been late', async () => {
    await reviewEight();
    const sentAt = fixture.clock.now;
    fixture.clock.now += 20_000;
    await learn();
    const message = { task: 'learn', workspaceId: at.workspaceId };
    calls.reset();
    await invoke([record(message, sentAt)]);
    expect(calls.commands()).toEqual(['GetItem', 'GetItem']);
    await invoke([record(message, sentAt + 16_000)]);
    expect(outcomes()).toEqual(['relearn.learned', 'relearn.covered', 'relearn.learned']);
  });

  test('fail one by one', async () => {
    await reviewEight();
    const good = record({ task: 'learn', workspaceId: at.workspaceId });
    const bad = [record({ task: 'learn' }), record({ workspaceId: at.workspaceId }), { ...good, body: '{' }];
    const response = await invoke([{ ...good, messageId: 'good' }, ...bad]);
    expect(response?.batchItemFailures).toEqual(bad.map(({ messageId }) => ({ itemIdentifier: messageId })));
    expect(await item()).toBeDefined();
  });
});

describe('at the same time', () => {
  const gate = () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open, opened };
  };

  test('an older result never replaces a newer one', async () => {
    const { good } = await reviewEight();
    const [hasRead, mayWrite] = [gate(), gate()];
    let reads = 0;
    const slow = learn(
      {},
      {
        async readReviewed(...args) {
          const reviewed = await dependencies.readReviewed(...args);
          reads += 1;
          if (reads > 1) return reviewed;
          hasRead.open();
          await mayWrite.opened;
          return reviewed;
        },
      },
    );
    await hasRead.opened;
    await review(good.slice(0, 1), null);
    fixture.clock.now += 1_000;
    await learn();
    expect(await item()).toMatchObject({ from: { good: { leads: 3 } } });
    mayWrite.open();
    expect(await slow).toEqual({ batchItemFailures: [] });
    expect(reads).toBe(2);
    expect(await item()).toMatchObject({ from: { good: { leads: 3 } } });
  });

  test('an older result does not delete a newer one', async () => {
    const { good } = await reviewEight();
    await learn();
    let reads = 0;
    await learn(
      {},
      {
        async readReviewed(...args) {
          reads += 1;
          if (reads > 1) return dependencies.readReviewed(...args);
          await learn();
          return [];
        },
      },
    );
    expect(reads).toBe(2);
    expect(await item()).toMatchObject({ from: { good: { leads: good.length } } });
  });

  test.each([
    ['switched off', { learningOff: true }],
    ['offboarded', { status: 'suspended', offboardingSince: 1 }],
  ])('a workspace that is %s keeps nothing', async (_how, change) => {
    await reviewEight();
    const { workspaces } = fixture.stack.tables;
    const { workspaceId } = at;
    await learn(
      {},
      {
        async readReviewed(...args) {
          const reviewed = await dependencies.readReviewed(...args);
          await setAttributes(fixture.observer, workspaces, { workspaceId }, change);
          return reviewed;
        },
      },
    );
    expect(await item()).toBeUndefined();
    expect(outcomes()).toEqual(['relearn.removed']);
  });
});

test('what a workspace left behind is deleted', async () => {
  const { workspaces } = fixture.stack.tables;
  const workspaceId = `${at.workspaceId}gone`;
  const left = { learnedAt: NOON, revision: 1, v: 1 };
  await setAttributes(fixture.observer, workspaces, learnedKey(workspaceId), left);
  await learn({ workspaceId, ifLearned: true });
  expect(await item(workspaceId)).toBeUndefined();
});

test('the daily run fails if the queue does, so that it is repeated', async () => {
  await reviewEight();
  await learn();
  const queue = { send: async <Each>(messages: readonly Each[]) => new Set(messages) };
  await expect(makeRelearn({ ...dependencies, queue })({} as ScheduledEvent)).rejects.toThrow('queue');
});
