import type { World } from '../service/world.ts';
import { enrichedAndCounted, twoAnswersInTime } from './enriched-and-counted.ts';
import { limitsHold } from './limits-hold.ts';
import { type Observed, observe } from './observed.ts';
import { oneKeyOneLead, storedAsSent } from './one-key-one-lead.ts';
import { ownerChangesHold } from './owner-changes-hold.ts';
import { rejectionsRecorded } from './rejections-recorded.ts';

/** The promises of docs/guarantees.md, as far as they can be seen from here, by their numbers there. */
const INVARIANTS: readonly (readonly [number: string, check: (observed: Observed) => string[]])[] = [
  ['1', storedAsSent],
  ['1', enrichedAndCounted],
  ['2', oneKeyOneLead],
  ['3', limitsHold],
  ['4', twoAnswersInTime],
  ['7', ownerChangesHold],
  ['diagnostics', rejectionsRecorded],
];

/** What is broken, in words; nothing where all promises were kept. */
export function violations(world: World): string[] {
  const observed = observe(world);
  return INVARIANTS.flatMap(([number, check]) =>
    check(observed).map((violation) => `invariant ${number}: ${violation}`),
  );
}
