import { expect, test } from '@jest/globals';
import { readStatus } from '../../console/src/pages/overview/attention.ts';

const READ = { data: {} as unknown, isPending: false };
const FAILED = { data: undefined as unknown, isPending: false };
const COMING = { data: undefined as unknown, isPending: true };

test.each([
  ['all read', [READ, READ], { isWaiting: false, isNothing: false, failed: [] }],
  ['some failed', [READ, FAILED], { isWaiting: false, isNothing: false, failed: [FAILED] }],
  ['all failed', [FAILED, FAILED], { isWaiting: false, isNothing: true, failed: [FAILED, FAILED] }],
  ['some to come', [FAILED, COMING], { isWaiting: true, isNothing: false, failed: [FAILED] }],
])('%s', (_, reads, expected) => {
  expect(readStatus(reads)).toMatchObject(expected);
});
