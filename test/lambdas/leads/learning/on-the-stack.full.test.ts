import { expect, test } from '@jest/globals';
import { localStack } from '#test/local-stack.ts';
import { until } from '#test/until.ts';
import { openLearningFixture } from './learning-fixture.ts';

const { review, item, reviewEight } = openLearningFixture(localStack());

// Waits for the real delays of the queue.
test('the stack learns by itself, after a review and after its withdrawal', async () => {
  const { good } = await reviewEight();
  expect((await until(item, (found) => found !== undefined))?.learned.words).toHaveProperty('backlinks');
  await review(good, null);
  expect(await until(item, (found) => found === undefined)).toBeUndefined();
});
