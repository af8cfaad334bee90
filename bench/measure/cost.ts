import { itemBytes } from '../../lambdas/model/lead-item.ts';
import {
  accepting,
  add,
  countingStats,
  dollarsPerMillion,
  enriching,
  RELAYING,
  totalOf,
  type Usage,
} from '../cost/prices.ts';
import type { ShelfCalls } from '../engines/contender-fixture.ts';
import { BODIES, SIZES, type Size } from '../fixtures/index.ts';
import type { CallCount } from './calls.ts';
import type { BackgroundUnits, UnitCount } from './write-units.ts';

export interface CostInputs {
  readonly calls: readonly CallCount[];
  readonly units: readonly UnitCount[];
  readonly shelfCalls: readonly ShelfCalls[];
  readonly shelfUnits: readonly UnitCount[];
  readonly background: BackgroundUnits;
  readonly cpuMilliseconds: Readonly<Record<'ours' | 'shelf', Readonly<Record<'plain' | 'keyed', number>>>>;
  readonly logLineBytes: number;
}

/** US dollars per million accepted leads. */
export interface Cost {
  readonly size: Size;
  readonly keyed: boolean;
  /** All that the off-the-shelf function does: the lead is stored and its message is in the queue. */
  readonly toTheQueue: { readonly ours: number; readonly shelf: number };
  /** With enrichment and statistics, which are the same functions for both. */
  readonly whole: { readonly ours: number; readonly shelf: number };
  /** The off-the-shelf function with minimal processing after it: a plain write of the enrichment, no statistics. */
  readonly leastShelf: number;
  readonly byService: Readonly<Record<'ours' | 'shelf', Readonly<Record<string, number>>>>;
}

export function computeCosts(inputs: CostInputs): Cost[] {
  return SIZES.flatMap((size) => [false, true].map((keyed) => costOf(inputs, size, keyed)));
}

function costOf(inputs: CostInputs, size: Size, keyed: boolean): Cost {
  const { ours, shelf, weight } = acceptingBoth(inputs, size, keyed);
  const dollars = (...usages: Usage[]) => dollarsPerMillion(add(...usages));
  const stats = countingStats(inputs.background.stats);
  const wholeOurs = dollars(ours, RELAYING, stats, enriching(inputs.background.enrichment[size]));
  const wholeShelf = dollars(shelf, stats, enriching(enrichmentOfPlainItem(weight)));
  const leastShelf = dollars(shelf, enriching({ writeUnits: 1, readUnits: readUnits(weight) / 2 }));
  return {
    size,
    keyed,
    toTheQueue: { ours: totalOf(dollars(ours, RELAYING)), shelf: totalOf(dollars(shelf)) },
    whole: { ours: totalOf(wholeOurs), shelf: totalOf(wholeShelf) },
    leastShelf: totalOf(leastShelf),
    byService: { ours: wholeOurs, shelf: wholeShelf },
  };
}

function acceptingBoth(inputs: CostInputs, size: Size, keyed: boolean) {
  const name = keyed ? 'accepted, with key' : 'accepted';
  const mode = keyed ? 'keyed' : 'plain';
  const unitsIn = (list: readonly UnitCount[]) =>
    required(list.find((each) => each.size === size && each.keyed === keyed));
  const ourCalls = required(inputs.calls.find((each) => each.name === name && each.surface === '1a'));
  const shelfCalls = required(inputs.shelfCalls.find((each) => each.name === name));
  const body: unknown = JSON.parse(BODIES[size]);
  return {
    ours: accepting({
      ...unitsIn(inputs.units),
      callsInSequence: ourCalls.warm,
      sqsRequests: 0,
      cpuMilliseconds: inputs.cpuMilliseconds.ours[mode],
      logBytes: inputs.logLineBytes + 26,
    }),
    shelf: accepting({
      ...unitsIn(inputs.shelfUnits),
      callsInSequence: shelfCalls.inSequence,
      sqsRequests: shelfCalls.messages,
      cpuMilliseconds: inputs.cpuMilliseconds.shelf[mode],
      logBytes: 0,
    }),
    /** A lead of the off-the-shelf function: the body as a map, and 200 bytes of ids. */
    weight: itemBytes({ body }) + 200,
  };
}

/** Our enrichment function with an uncompressed item: reads both parts, puts one, then looks at the lead again. */
function enrichmentOfPlainItem(weight: number) {
  return { writeUnits: 1, readUnits: 2 * readUnits(weight) + 1 };
}

function readUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 4_096));
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The cost model lacks an input');
  return value;
}
