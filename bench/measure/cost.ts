import { itemBytes } from '../../lambdas/model/lead-item.ts';
import {
  ASSUMPTIONS,
  accepting,
  add,
  BACKGROUND_FUNCTIONS,
  dollarsPerMillion,
  type FunctionUse,
  functionDollars,
  LOG_EVENT_BYTES,
  totalOf,
  type Usage,
  working,
} from '../cost/prices.ts';
import type { ShelfCalls } from '../engines/contender-fixture.ts';
import { BODIES, SIZES, type Size } from '../fixtures/index.ts';
import type { BackgroundUse } from './background.ts';
import type { CallCount } from './calls.ts';
import type { SendingCost } from './sending.ts';
import type { UnitCount } from './write-units.ts';

/** Milliseconds of an accepted request without and with a key. */
type CpuMilliseconds = Readonly<Record<'plain' | 'keyed', number>>;

export interface OurInputs {
  readonly calls: readonly CallCount[];
  readonly units: readonly UnitCount[];
  readonly background: Readonly<Record<Size, BackgroundUse>>;
  readonly sending: readonly SendingCost[];
  readonly cpuMilliseconds: { readonly ours: CpuMilliseconds };
  readonly logLineBytes: number;
}

export interface CostInputs extends OurInputs {
  readonly shelfCalls: readonly ShelfCalls[];
  readonly shelfUnits: readonly UnitCount[];
  readonly cpuMilliseconds: Readonly<Record<'ours' | 'shelf', CpuMilliseconds>>;
}

/** What the service must not exceed per clean lead of 1 KB, in batches of ten. */
export const GOALS = {
  /** Without destinations. */
  backgroundWriteUnits: 5.2,
  indexWriteUnits: 3.1,
  indexReadUnits: 2,
  wholeStackDollars: 12,
} as const;

/** What one part of the stack uses for a clean lead of 1 KB, and US dollars per million of them. */
export interface StackPart {
  readonly part: string;
  readonly use?: Omit<FunctionUse, 'logBytes'>;
  readonly dollars: number;
}

export interface StackCost {
  readonly parts: readonly StackPart[];
  readonly whole: StackPart & { readonly use: Omit<FunctionUse, 'logBytes'> };
  readonly backgroundWriteUnits: number;
  /** In addition: two events per lead that no destination wants, or one of which goes to a webhook. */
  readonly forwarding: { readonly none: number; readonly webhook: number };
}

/** One whole stack: everything that happens to a clean lead of 1 KB, without forwarding. */
export function computeStackCost(inputs: OurInputs): StackCost {
  const background = inputs.background['1 KB'];
  const ingest = { dynamoDbCalls: callsOf(inputs, false), ...acceptingOurs(inputs, '1 KB', false) };
  const parts = [
    { part: 'ingest', use: ingest, dollars: totalOf(dollarsPerMillion(ingest)) },
    ...BACKGROUND_FUNCTIONS.map((part) => ({
      part,
      use: background[part],
      dollars: totalOf(functionDollars(working(part, background[part]))),
    })),
  ];
  const sum = (of: (part: (typeof parts)[number]) => number) =>
    parts.reduce((total, part) => total + of(part), 0);
  const use = {
    writeUnits: sum((each) => each.use.writeUnits),
    readUnits: sum((each) => each.use.readUnits),
    dynamoDbCalls: sum((each) => each.use.dynamoDbCalls),
    sqsRequests: sum((each) => each.use.sqsRequests),
    invocations: sum((each) => each.use.invocations),
  };
  const announcing = totalOf(functionDollars(working('announcement', background.announcement)));
  const event = (destinations: number) =>
    totalOf(
      required(inputs.sending.find((each) => each.size === '1 KB' && each.destinations === destinations))
        .byService,
    );
  return {
    parts,
    whole: { part: 'whole stack', use, dollars: sum(({ dollars }) => dollars) },
    backgroundWriteUnits: use.writeUnits - ingest.writeUnits,
    forwarding: { none: announcing + 2 * event(0), webhook: announcing + event(1) + event(0) },
  };
}

/** US dollars per million accepted leads. */
export interface Cost {
  readonly size: Size;
  readonly keyed: boolean;
  /** All that the off-the-shelf function does: the lead is stored and its message is in the queue. */
  readonly toTheQueue: { readonly ours: number; readonly shelf: number };
  /** With enrichment, statistics and search, which are the same functions for both. */
  readonly whole: { readonly ours: number; readonly shelf: number };
  /** The off-the-shelf function with minimal processing after it: a plain write of the enrichment, no statistics, no search. */
  readonly leastShelf: number;
  readonly byService: Readonly<Record<'ours' | 'shelf', Readonly<Record<string, number>>>>;
}

export function computeCosts(inputs: CostInputs): Cost[] {
  return SIZES.flatMap((size) => [false, true].map((keyed) => costOf(inputs, size, keyed)));
}

function costOf(inputs: CostInputs, size: Size, keyed: boolean): Cost {
  const ours = acceptingOurs(inputs, size, keyed);
  const shelf = acceptingShelf(inputs, size, keyed);
  // A lead of the off-the-shelf function: the body as a map, and 200 bytes of ids.
  const read = readUnits(itemBytes({ body: JSON.parse(BODIES[size]) as unknown }) + 200);
  const { relay, enrichment, statistics, index } = inputs.background[size];
  const dollars = (...usages: Usage[]) => dollarsPerMillion(add(...usages));
  const relaying = working('relay', relay);
  const stats = working('statistics', statistics);
  const wholeOurs = dollars(
    ours,
    relaying,
    stats,
    working('enrichment', enrichment),
    working('index', index),
  );
  const wholeShelf = dollars(
    shelf,
    // Its own message starts the enrichment.
    { ...relaying, sqsRequests: relaying.sqsRequests - 1 / ASSUMPTIONS.leadsPerBatch },
    stats,
    working('enrichment', { ...enrichment, writeUnits: 1, readUnits: 2 * read + 1 }),
    working('index', { ...index, readUnits: 2 * read }),
  );
  const leastShelf = dollars(
    shelf,
    working('enrichment', { ...enrichment, writeUnits: 1, readUnits: read / 2, logBytes: 0 }),
  );
  return {
    size,
    keyed,
    toTheQueue: { ours: totalOf(dollars(ours, relaying)), shelf: totalOf(dollars(shelf)) },
    whole: { ours: totalOf(wholeOurs), shelf: totalOf(wholeShelf) },
    leastShelf: totalOf(leastShelf),
    byService: { ours: wholeOurs, shelf: wholeShelf },
  };
}

const nameOf = (keyed: boolean) => (keyed ? 'accepted, with key' : 'accepted');

function callsOf({ calls }: Pick<OurInputs, 'calls'>, keyed: boolean): number {
  return required(calls.find((each) => each.name === nameOf(keyed) && each.surface === '1a')).warm;
}

function unitsIn(list: readonly UnitCount[], size: Size, keyed: boolean): UnitCount {
  return required(list.find((each) => each.size === size && each.keyed === keyed));
}

function acceptingOurs(inputs: OurInputs, size: Size, keyed: boolean): Usage {
  return accepting({
    ...unitsIn(inputs.units, size, keyed),
    callsInSequence: callsOf(inputs, keyed),
    sqsRequests: 0,
    cpuMilliseconds: inputs.cpuMilliseconds.ours[keyed ? 'keyed' : 'plain'],
    logBytes: inputs.logLineBytes + LOG_EVENT_BYTES,
  });
}

function acceptingShelf(inputs: CostInputs, size: Size, keyed: boolean): Usage {
  const calls = required(inputs.shelfCalls.find((each) => each.name === nameOf(keyed)));
  return accepting({
    ...unitsIn(inputs.shelfUnits, size, keyed),
    callsInSequence: calls.inSequence,
    sqsRequests: calls.messages,
    cpuMilliseconds: inputs.cpuMilliseconds.shelf[keyed ? 'keyed' : 'plain'],
    logBytes: 0,
  });
}

function readUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 4_096));
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The cost model lacks an input');
  return value;
}
