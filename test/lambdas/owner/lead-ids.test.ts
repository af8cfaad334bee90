import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isLeadId, leadIdRange } from '#settings/leads/lead-filter.ts';
import { makeLeadId } from '#submission/ids.ts';

const moments = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const nearby = fc.integer({ min: -2, max: 2 });
const randoms = fc.uint8Array({ minLength: 10, maxLength: 10 });
const within = (id: string, range: ReturnType<typeof leadIdRange>) =>
  range !== undefined && id >= range.oldest && id <= range.newest;

describe('the ids of a time range', () => {
  test('are those of the leads from its beginning to before its end, to the millisecond', () => {
    fc.assert(
      fc.property(moments, nearby, nearby, randoms, (at, before, after, random) => {
        const [from, to] = [at + before, at + after];
        const id = makeLeadId(at, random);
        expect(isLeadId(id)).toBe(true);
        expect(within(id, leadIdRange(from, to))).toBe(at >= from && at < to);
        expect(within(id, leadIdRange(from, undefined))).toBe(at >= from);
        expect(within(id, leadIdRange(undefined, to))).toBe(at < to);
      }),
    );
  });

  test('that are older than a lead are all before it, and not itself', () => {
    fc.assert(
      fc.property(moments, randoms, fc.oneof(randoms, fc.constant(undefined)), (at, random, other) => {
        const id = makeLeadId(at, random);
        const another = makeLeadId(at, other ?? random);
        expect(within(another, leadIdRange(undefined, undefined, id))).toBe(another < id);
      }),
    );
  });

  test('are none before the first id, or of no time at all', () => {
    expect(leadIdRange(undefined, undefined, '00000000-0000-0000-0000-000000000000')).toBeUndefined();
    expect(leadIdRange(5, 5)).toBeUndefined();
    expect(leadIdRange(Number.NaN, undefined)).toBeUndefined();
    expect(leadIdRange(1_000, 2_000, makeLeadId(999, new Uint8Array(10)))).toBeUndefined();
  });
});
