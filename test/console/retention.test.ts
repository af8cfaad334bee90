import { expect, test } from '@jest/globals';
import { readRetention, retentionNotice } from '../../console/src/pages/forms/form-changes.ts';

test.each([
  ['', null],
  ['  ', null],
  ['1', 1],
  [' 90 ', 90],
  ['3650', 3_650],
])('%j keeps leads for %p days', (typed, days) => {
  expect(readRetention(typed)).toEqual({ days });
});

test.each(['0', '-1', '3651', '1.5', '1e3', 'a week', '9999999999'])(
  '%j is refused, with the bounds',
  (typed) => {
    expect(readRetention(typed)).toEqual({
      problem: 'Enter a whole number from 1 to 3,650, or leave empty.',
    });
  },
);

test('the notice says that it applies to new leads', () => {
  expect(retentionNotice(1)).toBe(
    'New leads are deleted after 1 day. Existing leads keep their current deletion date.',
  );
  expect(retentionNotice(1_000)).toMatch(/^New leads are deleted after 1,000 days\./);
  expect(retentionNotice(null)).toMatch(/^New leads are kept forever\. Existing leads keep/);
});
