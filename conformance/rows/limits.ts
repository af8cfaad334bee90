import {
  BODY_TOO_LARGE,
  BODY_TOO_LARGE_TO_PARSE,
  KEY_TOO_LONG,
  rowOf,
  TIMESTAMP_BEHIND,
} from '../checks/causes.ts';
import { expectAccepted, expectRejected } from '../checks/expectations.ts';
import { describeAnswer, Mismatch } from '../report/mismatch.ts';
import { BOTH, ONLY_1A, type Section, type Trial } from '../row.ts';

async function checkMinute({ world, surface }: Trial): Promise<void> {
  const { refused, beyond } = await world.burst();
  const [first] = refused[surface];
  if (first) {
    const got = `${refused[surface].length} of them not, such as ${describeAnswer(first)}`;
    throw new Mismatch('1,000 submissions of one minute to be accepted', got);
  }
  for (const answer of beyond[surface]) expectRejected(answer);
}

export const LIMITS_SECTION: readonly Section[] = [
  {
    title: 'Limits',
    rows: [
      {
        rule: 'Submissions per minute: 1,000 are accepted, the next is rejected',
        surfaces: BOTH,
        when: 'burst',
        check: checkMinute,
      },
      {
        rule: 'Submissions per day: 50,000',
        surfaces: BOTH,
        skipped: 'takes 50 minutes and as many leads; tested with a counter that is filled',
      },
      rowOf(BODY_TOO_LARGE, 'Raw request body size: 128 KB'),
      rowOf(KEY_TOO_LONG, 'Idempotency key length: 1 to 255 characters'),
      { rule: 'Idempotency window: 24 hours', skipped: 'takes a day; tested with a clock that is moved' },
      rowOf(TIMESTAMP_BEHIND, 'Timestamp tolerance: ±5 minutes'),
    ],
  },
  {
    title: 'Limits: rules',
    rows: [
      {
        rule: '1. Limits count across all server tokens: a fresh one is rejected as well',
        surfaces: ONLY_1A,
        when: 'burst',
        async check({ world }) {
          expectRejected((await world.burst()).freshToken);
        },
      },
      {
        rule: '2. Counters are separate: after a burst on 1a, 1b takes leads',
        when: 'burst',
        async check({ world }) {
          expectAccepted((await world.burst()).otherSurface);
        },
      },
      {
        rule: '3. Beyond the limit comes the opaque 200, never a 429',
        surfaces: BOTH,
        when: 'burst',
        async check({ world, surface }) {
          for (const answer of (await world.burst()).beyond[surface]) expectRejected(answer);
        },
      },
      rowOf(BODY_TOO_LARGE_TO_PARSE, '4. Oversized bodies are rejected before parsing'),
    ],
  },
];
