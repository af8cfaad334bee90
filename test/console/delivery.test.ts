import { describe, expect, test } from '@jest/globals';
import {
  GRACE_PERIODS,
  ownSecretProblem,
  previousUse,
  SUGGESTED_GRACE_SECONDS,
} from '../../console/src/pages/delivery/secret/secret-rules.ts';
import { ownSecret } from '../../lambdas/workspaces/delivery-routes.ts';

describe("an owner's own secret", () => {
  test.each([
    'x'.repeat(15),
    'x'.repeat(16),
    'x'.repeat(200),
    'x'.repeat(201),
    ` ${'x'.repeat(20)}`,
    `${'x'.repeat(20)}\n`,
    '🙂'.repeat(16),
    '🙂'.repeat(8),
    '',
  ])('is validated like in the settings API: %j', (secret) => {
    const taken = () => ownSecret(secret);
    if (ownSecretProblem(secret) === undefined) expect(taken()).toBe(secret);
    else expect(taken).toThrow();
  });
});

describe('the grace of a rotation', () => {
  test('can be none, an hour, a day or a week; a day is recommended', () => {
    expect(GRACE_PERIODS.map(({ seconds }) => seconds)).toEqual([0, 3_600, 86_400, 604_800]);
    expect(SUGGESTED_GRACE_SECONDS).toBe(86_400);
  });

  test.each([
    [undefined, 'never'],
    ['2026-01-01T11:59:59.999Z', 'before'],
    ['2026-01-01T12:00:00.000Z', 'still'],
    ['2026-01-02T00:00:00.000Z', 'still'],
  ])('reports whether the previous secret is in use: %s is %s', (lastUsedAt, use) => {
    expect(previousUse('2026-01-01T12:00:00.000Z', lastUsedAt)).toBe(use);
  });
});
