import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Planted, plantAll } from './compile-planted.ts';
import { DEFECTS } from './defects.ts';
import { explore, SEEDS } from './explore.ts';

const [ANY] = DEFECTS;
const BROKEN = [
  { ...ANY, name: 'its place is gone', place: 'nobody.wroteThis()' },
  { ...ANY, name: 'it is no code', instead: '$idInBody +' },
  { ...ANY, name: 'it names what nobody declared', instead: '$delivery.deliveryId ?? undeclared' },
] as typeof DEFECTS;

let planted: ReadonlyMap<string, Planted | Error>;
beforeAll(() => {
  planted = plantAll([...DEFECTS, ...BROKEN]);
});

/** Throws the reason why it could not be planted. */
function plantedAs(name: string): Planted {
  const found = planted.get(name);
  if (found === undefined || found instanceof Error) throw found;
  return found;
}

describe('the harness finds a defect planted in the real source', () => {
  test.each(DEFECTS)(
    '$name',
    async ({ name, scenarios, firstSeed = 1, seeds = SEEDS }) => {
      // One thread, so that the number of schedules until it is found doesn't vary.
      const search = { scenarios, firstSeed, seeds, threads: 1, stopAtFailure: true };
      const { schedules, failures } = await explore({ ...search, planted: plantedAs(name) });
      const [failure] = failures;
      process.stdout.write(
        `${name}: found after ${schedules} schedules, ${failure?.violations[0] ?? 'not found'}\n`,
      );
      // Without the defect, interleavings.full.test.ts finds nothing in the usual schedules.
      expect(failures).toHaveLength(1);
      expect(failure?.violations.join()).not.toContain('the schedule itself failed');
    },
    600_000,
  ); // Only a bound on hanging.
});

describe('a defect that cannot be planted says so, and is not searched for', () => {
  test.each([
    ['its place is gone', 'The place of the defect "its place is gone" was not found in /lambdas/'],
    ['it is no code', '/lambdas/sources/judge-delivery.ts with the defect "it is no code" does not compile'],
    ['it names what nobody declared', "error TS2304: Cannot find name 'undeclared'"],
  ])('%s', (name, reason) => {
    expect(() => plantedAs(name)).toThrow(reason);
  });
});
