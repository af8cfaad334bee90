import type { IngestFixture } from '../local/fixture/ingest-fixture.ts';
import type { Bundles } from './engines/bundles.ts';
import { type CallCount, countCalls } from './measure/calls.ts';
import {
  type BackgroundUnits,
  countBackgroundUnits,
  countRejectionUnits,
  countUnits,
  type MeasureUnits,
  type RejectionUnits,
  type UnitCount,
} from './measure/write-units.ts';

/** Figures that are the same on every machine, by name. Less is better. */
export type DeterministicFigures = Readonly<Record<string, number>>;

export const OUR_BUNDLES = ['ingest-server', 'ingest-webhook'] as const;

export async function measureDeterministic(
  bench: IngestFixture,
  measureUnits: MeasureUnits,
  bundles: Bundles,
): Promise<DeterministicFigures> {
  return {
    ...callFigures(await countCalls(bench)),
    ...unitFigures(await countUnits(measureUnits)),
    ...rejectionFigures(await countRejectionUnits(bench)),
    ...backgroundFigures(await countBackgroundUnits(bench)),
    ...bundleFigures(bundles),
  };
}

export function callFigures(counts: readonly CallCount[]): DeterministicFigures {
  return Object.fromEntries(
    counts.flatMap(({ name, surface, warm, cold }) => [
      [`calls: ${surface} ${name}, warm`, warm],
      [`calls: ${surface} ${name}, cold`, cold],
    ]),
  );
}

export function unitFigures(counts: readonly UnitCount[]): DeterministicFigures {
  return Object.fromEntries(
    counts.map(({ size, keyed, writeUnits }) => [
      `write units: ${size}${keyed ? ', with key' : ''}`,
      writeUnits,
    ]),
  );
}

export function rejectionFigures({ inRequest, alone, inFlood }: RejectionUnits): DeterministicFigures {
  return {
    'write units: a rejection, in the request': inRequest,
    'write units: a rejection, alone': alone,
    'write units: a rejection, in a flood': Number(inFlood.toFixed(3)),
  };
}

export function backgroundFigures({ stats, enrichment }: BackgroundUnits): DeterministicFigures {
  return {
    'write units: statistics, per lead of ten': Number(stats.writeUnits.toFixed(3)),
    ...Object.fromEntries(
      Object.entries(enrichment).map(([size, { writeUnits }]) => [
        `write units: enrichment, ${size}`,
        writeUnits,
      ]),
    ),
  };
}

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
