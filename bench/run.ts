import { parseArgs } from 'node:util';
import { makeClosers } from '../local/lifecycle.ts';
import { LONG_PARTS } from './measured.ts';
import { openMeasurements } from './measurements.ts';
import { startProgress } from './progress.ts';
import { rowsOf } from './report/rows.ts';
import {
  commitFigures,
  type KeptPart,
  readKept,
  requireKept,
  save,
  thisCommit,
  thisMachine,
} from './results.ts';

/** `npm run bench`: measures, prints a table, and writes docs/performance.md with its charts. */

const USAGE = `npm run bench -- [--only PART,…] [--update | --commit] [--quick] [--suite-seconds N]
  --only           measure these parts and print them; a wrong name lists all parts
  --update         with --only: also write them to docs/performance.md
  --commit         with --only: also write counted figures to bench/committed.json
  --quick          fewer repetitions
  --suite-seconds  how long npm test took`;

const options = readOptions(process.argv.slice(2));
const closers = makeClosers();
try {
  await run(options);
} finally {
  await closers.close();
}
// Clients keep their connections open.
process.exit();

async function run({ quick, only, commit, update, suiteSeconds }: BenchOptions): Promise<void> {
  if (!only) requireKept(LONG_PARTS);
  const measurements = await openMeasurements(quick, closers);
  const names = Object.keys(measurements);
  const unknown = only?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. Choose from ${names.join(', ')}.`);
  const chosen = names.filter((name) => (only ? only.includes(name) : !LONG_PARTS.includes(name)));
  const about = { commit: thisCommit(), machine: thisMachine(), quick };
  const at = new Date().toISOString();
  const kept = readKept();
  const progress = startProgress({ names: chosen, lastSeconds: (name) => kept[name]?.seconds || undefined });
  const measured: Record<string, KeptPart> = {};
  try {
    for (const name of chosen) {
      progress.begin(name);
      const results = (await measurements[name]?.()) ?? {};
      measured[name] = { at, ...about, whole: !only, seconds: progress.end(), results };
    }
  } catch (error) {
    // What came before is kept, but not as a whole run.
    const done = Object.entries(measured).map(([name, part]) => [name, { ...part, whole: false }]);
    if (!only || commit || update) save(Object.fromEntries(done));
    throw error;
  } finally {
    progress.finish();
  }
  if (suiteSeconds !== undefined) {
    measured.suite = { at, ...about, whole: !only, seconds: suiteSeconds, results: { suiteSeconds } };
  }
  if (only)
    console.dir(Object.assign({}, ...Object.values(measured).map(({ results }) => results)), { depth: null });
  if (only && !commit && !update) return;
  const results = save(measured);
  if (commit || !only) commitFigures(results);
  if (only) return;
  console.table(
    rowsOf(results).map(({ id: _id, met, ...row }) => ({
      ...row,
      met: met === undefined ? '' : met ? 'yes' : 'NO',
    })),
  );
}

interface BenchOptions {
  readonly quick: boolean;
  /** Whether to write what `only` measures into the page, and counted figures into committed.json. */
  readonly commit: boolean;
  /** Whether to write what `only` measures into the page. */
  readonly update: boolean;
  /** The names of measurements. If undefined, all but the long ones run, and everything is written. */
  readonly only: readonly string[] | undefined;
  readonly suiteSeconds: number | undefined;
}

function readOptions(args: readonly string[]): BenchOptions {
  try {
    return parseOptions(args);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(1);
  }
}

function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      commit: { type: 'boolean', default: false },
      update: { type: 'boolean', default: false },
      only: { type: 'string' },
      'suite-seconds': { type: 'string' },
    },
  });
  const seconds = values['suite-seconds'];
  if (Number.isNaN(Number(seconds ?? 0))) throw new Error(`--suite-seconds takes a number, not ${seconds}`);
  return {
    quick: values.quick,
    commit: values.commit,
    update: values.update,
    only: values.only?.split(','),
    suiteSeconds: seconds === undefined ? undefined : Number(seconds),
  };
}
