import type { IngestFixture } from '../local/fixture/ingest-fixture.ts';
import type { Bundles } from './engines/bundles.ts';
import { SIZES, type Size } from './fixtures/index.ts';
import { BACKGROUND_FUNCTIONS, type BackgroundUse, countBackground } from './measure/background.ts';
import { type CallCount, countCalls } from './measure/calls.ts';
import { countDeliveryUnits } from './measure/sources.ts';
import {
  countRejectionUnits,
  countUnits,
  type MeasureUnits,
  type RejectionUnits,
  type UnitCount,
} from './measure/write-units.ts';

/** Figures that are the same on every machine, by name. Less is better. */
export type DeterministicFigures = Readonly<Record<string, number>>;

export const OUR_BUNDLES = ['ingest-server', 'ingest-webhook'] as const;

/** What is counted, as opposed to measured. */
export interface Counts {
  readonly calls: readonly CallCount[];
  readonly units: readonly UnitCount[];
  /** Of deliveries on Surface 1c. */
  readonly deliveryUnits: readonly UnitCount[];
  readonly rejectionUnits: RejectionUnits;
  readonly background: Readonly<Record<Size, BackgroundUse>>;
}

export async function countAll(bench: IngestFixture, measureUnits: MeasureUnits): Promise<Counts> {
  return {
    calls: await countCalls(bench),
    units: await countUnits(measureUnits),
    deliveryUnits: await countDeliveryUnits(bench, measureUnits),
    rejectionUnits: await countRejectionUnits(bench),
    background: await countBackground(bench),
  };
}

export function countedFigures({
  calls,
  units,
  deliveryUnits,
  rejectionUnits,
  background,
}: Counts): DeterministicFigures {
  return {
    ...callFigures(calls),
    ...unitFigures(units),
    ...deliveryFigures(deliveryUnits),
    ...rejectionFigures(rejectionUnits),
    ...backgroundFigures(background),
  };
}

function callFigures(counts: readonly CallCount[]): DeterministicFigures {
  return Object.fromEntries(
    counts.flatMap(({ name, surface, warm, cold }) => [
      [`calls: ${surface} ${name}, warm`, warm],
      [`calls: ${surface} ${name}, cold`, cold],
    ]),
  );
}

function unitFigures(counts: readonly UnitCount[]): DeterministicFigures {
  return Object.fromEntries(
    counts.map(({ size, keyed, writeUnits }) => [
      `write units: ${size}${keyed ? ', with key' : ''}`,
      writeUnits,
    ]),
  );
}

function deliveryFigures(counts: readonly UnitCount[]): DeterministicFigures {
  return Object.fromEntries(
    counts.map(({ size, writeUnits }) => [`write units: ${size}, a delivery on 1c`, writeUnits]),
  );
}

function rejectionFigures({ inRequest, alone, inFlood }: RejectionUnits): DeterministicFigures {
  return {
    'write units: a rejection, in the request': inRequest,
    'write units: a rejection, alone': alone,
    'write units: a rejection, in a flood': Number(inFlood.toFixed(3)),
  };
}

/** Per clean lead, in batches of ten. */
function backgroundFigures(background: Readonly<Record<Size, BackgroundUse>>): DeterministicFigures {
  const figures: Record<string, number> = {};
  for (const size of SIZES) {
    for (const part of BACKGROUND_FUNCTIONS) {
      const { writeUnits, readUnits, dynamoDbCalls, sqsRequests } = background[size][part];
      const counted = {
        'write units': writeUnits,
        'read units': readUnits,
        'DynamoDB calls': dynamoDbCalls,
        'SQS requests': sqsRequests,
      };
      for (const [unit, amount] of Object.entries(counted)) {
        // Without a remainder of floating-point numbers.
        if (amount > 0) figures[`${unit}: ${part}, ${size}`] = Number(amount.toFixed(3));
      }
    }
  }
  return figures;
}

/** Of a warm function: what an accepted request does beside waiting for DynamoDB. */
export const FUNCTION_CALLS = 'function calls: 1a accepted';

/** Rounded up to KB, so that small changes don't matter. */
export function bundleFigures(bundles: Bundles): DeterministicFigures {
  return Object.fromEntries(
    OUR_BUNDLES.map((source) => [`bundle KB: ${source}`, Math.ceil(bundles.bytesOf(source) / 1_000)]),
  );
}

/** One line per figure that got worse, is new, or is no longer measured. */
export function compareFigures(committed: DeterministicFigures, now: DeterministicFigures): string[] {
  const names = [...new Set([...Object.keys(committed), ...Object.keys(now)])];
  return names.flatMap((name) => {
    const before = committed[name];
    const after = now[name];
    if (before === undefined) return [`${name}: ${after}, not committed yet`];
    if (after === undefined) return [`${name}: no longer measured`];
    return after > before ? [`${name}: ${after}, committed ${before}`] : [];
  });
}
