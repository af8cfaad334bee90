import { BACKGROUND_FUNCTIONS } from './cost/prices.ts';
import { SIZES, type Size } from './fixtures/index.ts';
import type { FunctionCount } from './functions/count.ts';
import type { BackgroundUse } from './measure/background.ts';
import type { CallCount } from './measure/calls.ts';
import type { RejectionUnits, UnitCount } from './measure/write-units.ts';

/** Figures that are the same on every machine, by name. Less is better. */
export type DeterministicFigures = Readonly<Record<string, number>>;

/** What is counted, as opposed to measured. */
export interface Counts {
  readonly calls: readonly CallCount[];
  readonly units: readonly UnitCount[];
  /** Of deliveries on Surface 1c. */
  readonly deliveryUnits: readonly UnitCount[];
  readonly rejectionUnits: RejectionUnits;
  readonly background: Readonly<Record<Size, BackgroundUse>>;
  /** Of every function of the template. */
  readonly functions: readonly FunctionCount[];
  /** In bytes, by function. */
  readonly bundles: Readonly<Record<string, number>>;
  /** Of functions, in an accepted request. */
  readonly functionCalls: number;
}

export function countedFigures(counts: Counts): DeterministicFigures {
  return {
    ...callFigures(counts.calls),
    ...unitFigures(counts.units),
    ...deliveryFigures(counts.deliveryUnits),
    ...rejectionFigures(counts.rejectionUnits),
    ...backgroundFigures(counts.background),
    'function calls: 1a accepted': counts.functionCalls,
    ...functionFigures(counts.functions),
    ...bundleFigures(counts.bundles),
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

function functionFigures(functions: readonly FunctionCount[]): DeterministicFigures {
  return Object.fromEntries(
    functions.flatMap(({ fn, work, ...counted }) => [
      [`${fn}, ${work}: DynamoDB calls`, counted.dynamoDbCalls],
      [`${fn}, ${work}: read units`, counted.readUnits],
      [`${fn}, ${work}: write units`, counted.writeUnits],
      [`${fn}, ${work}: other calls`, counted.otherCalls],
      [`${fn}, ${work}: bytes`, counted.bytes],
    ]),
  );
}

/** On the path of every lead, so their size is watched more closely. */
const INGEST_BUNDLES = ['ingest-server', 'ingest-webhook'];

/** Rounded up, so that small changes don't matter. */
export function bundleKilobytes(fn: string, bytes: number): number {
  const step = INGEST_BUNDLES.includes(fn) ? 1 : 10;
  return Math.ceil(bytes / 1_000 / step) * step;
}

function bundleFigures(bundles: Counts['bundles']): DeterministicFigures {
  return Object.fromEntries(
    Object.entries(bundles).map(([fn, bytes]) => [`bundle KB: ${fn}`, bundleKilobytes(fn, bytes)]),
  );
}

/** Bytes differ a little from run to run: with the digits of times, and with the ids of the engine. */
const TOLERATED = 0.05;

/**
 * One line per figure that differs, is new, or is no longer measured. A bundle or a count of calls of functions may
 * shrink without being committed: every change of the code changes them.
 */
export function compareFigures(committed: DeterministicFigures, now: DeterministicFigures): string[] {
  const names = [...new Set([...Object.keys(committed), ...Object.keys(now)])];
  return names.flatMap((name) => {
    const [before, after] = [committed[name], now[name]];
    if (before === undefined) return [`${name}: ${after}, not committed yet`];
    if (after === undefined) return [`${name}: no longer measured`];
    const mayShrink = /^(?:bundle KB|function calls): /.test(name);
    const tolerated = name.endsWith(': bytes') ? TOLERATED * before : 0;
    const same = Math.abs(after - before) <= tolerated;
    return same || (mayShrink && after < before) ? [] : [`${name}: ${after}, committed ${before}`];
  });
}
