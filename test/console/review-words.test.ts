import { expect, test } from '@jest/globals';
import type { ReviewedLeads, Verdict } from '../../console/src/api/types.ts';
import { reviewText } from '../../console/src/pages/leads/review/review-words.ts';

const outcome = (
  reviewed: number,
  changed: ReviewedLeads['senders']['changed'] = [],
  rest: { notFound?: string[]; full?: boolean } = {},
): ReviewedLeads => ({
  reviewed: Array.from({ length: reviewed }, (_, n) => `lead-${n}`),
  notFound: rest.notFound ?? [],
  senders: { changed, full: rest.full ?? false },
});
const now = (status: 'trusted' | 'blocked' | null, ...senders: string[]) =>
  senders.map((sender) => ({ sender, status }));

test.each<[Verdict, ReviewedLeads, string]>([
  ['good', outcome(1), 'Lead marked as not spam.'],
  ['good', outcome(1, now('trusted', 'acme.com')), 'Lead marked as not spam. acme.com is now trusted.'],
  [
    'spam',
    outcome(2, now('blocked', 'acme.com', 'eve@gmail.com')),
    '2 leads marked as spam. acme.com and eve@gmail.com are now blocked.',
  ],
  [
    'spam',
    outcome(9, now('blocked', 'a.com', 'b.com', 'c.com', 'd.com')),
    '9 leads marked as spam. 4 senders are now blocked.',
  ],
  [
    'spam',
    outcome(1, [...now('blocked', 'acme.com'), ...now(null, 'ada@acme.com')]),
    'Lead marked as spam. acme.com is now blocked. ada@acme.com is no longer on the list.',
  ],
  [null, outcome(1, now(null, 'acme.com')), 'Lead: review undone. acme.com is no longer on the list.'],
  ['good', outcome(3, [], { notFound: ['lead-9'] }), '3 leads marked as not spam. 1 not found.'],
  [
    'good',
    outcome(1, [], { full: true }),
    'Lead marked as not spam. The list of senders is full, so the sender was not added. Remove one first.',
  ],
])('verdict %s: %j', (verdict, reviewed, text) => {
  expect(reviewText(verdict, reviewed)).toBe(text);
});
