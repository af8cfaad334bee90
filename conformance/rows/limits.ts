import { describeResponse, expectAccepted, expectRejected, Mismatch } from '../checks/expectations.ts';
import { BOTH, ONLY_1A, type Section, type Trial } from '../row.ts';
import { CAUSES } from './causes.ts';

async function checkMinute({ world, surface }: Trial): Promise<void> {
  const { refused, beyond } = await world.burst();
  const [first] = refused[surface];
  if (first) {
    const got = `${refused[surface].length} rejected, such as ${describeResponse(first)}`;
    throw new Mismatch('1,000 submissions of one minute to be accepted', got);
  }
  for (const response of beyond[surface]) expectRejected(response);
}

export const LIMITS: Section = {
  id: 'limits',
  title: 'Limits',
  rows: [
    {
      id: 'minute',
      rule: 'Submissions per minute: 1,000 are accepted, the next is rejected',
      surfaces: BOTH,
      when: 'burst',
      check: checkMinute,
    },
    {
      id: 'day',
      rule: 'Submissions per day: 50,000',
      surfaces: BOTH,
      skipped: 'takes 50 minutes and 50,000 leads; npm test sets the counter instead',
    },
    { ...CAUSES.bodyTooLarge, rule: 'Raw request body size: 128 KB' },
    { ...CAUSES.keyTooLong, rule: 'Idempotency key length: 1 to 255 characters' },
    {
      id: 'idempotency-window',
      rule: 'Idempotency window: 24 hours',
      skipped: 'takes a day; npm test tests it with a clock that can be set',
    },
    { ...CAUSES.timestampBehind, rule: 'Timestamp tolerance: ±5 minutes' },
  ],
};

export const LIMIT_RULES: Section = {
  id: 'limit-rules',
  title: 'Limits: rules',
  rows: [
    {
      id: 'all-tokens',
      rule: '1. Limits count across all server tokens: an unused token is rejected as well',
      surfaces: ONLY_1A,
      when: 'burst',
      async check({ world }) {
        expectRejected((await world.burst()).freshToken);
      },
    },
    {
      id: 'per-surface',
      rule: '2. Counters are separate: after a burst on 1a, 1b accepts leads',
      when: 'burst',
      async check({ world }) {
        expectAccepted((await world.burst()).otherSurface);
      },
    },
    {
      id: 'opaque',
      rule: '3. Exceeding the limit gives the opaque 200, never a 429',
      surfaces: BOTH,
      when: 'burst',
      async check({ world, surface }) {
        for (const response of (await world.burst()).beyond[surface]) expectRejected(response);
      },
    },
    { ...CAUSES.bodyTooLargeToParse, rule: '4. Oversized bodies are rejected before parsing' },
  ],
};
