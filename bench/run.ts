import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeClosers } from '../local/lifecycle.ts';
import { countedFigures, FUNCTION_CALLS } from './deterministic.ts';
import { computeCosts, computeStackCost } from './measure/cost.ts';
import { openMeasurements, type Results } from './measurements.ts';
import { chartsOf } from './report/charts.ts';
import { pageOf } from './report/page.ts';
import { rowsOf } from './report/rows.ts';
import { processorTimeOn, updateCounted } from './report/update-page.ts';

/** `npm run bench`: measures, prints a table, and writes docs/performance.md with its charts. */

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const PAGE = '../docs/performance.md';
const options = readOptions(process.argv.slice(2));
const closers = makeClosers();
try {
  const measured = await measureAll(options);
  if (options.commit) commit(measured);
  if (options.update) update(measured);
  if (options.only) console.dir(measured, { depth: null });
  else report(complete(measured, options));
} finally {
  await closers.close();
}
// Clients keep their connections open.
process.exit();

async function measureAll({ quick, only }: BenchOptions): Promise<Partial<Results>> {
  const measurements = await openMeasurements(quick, closers);
  const unknown = only?.filter((name) => measurements[name] === undefined) ?? [];
  if (unknown.length > 0) {
    throw new Error(`Unknown: ${unknown.join(', ')}. Choose from ${Object.keys(measurements).join(', ')}.`);
  }
  let results: Partial<Results> = {};
  for (const [name, measure] of Object.entries(measurements)) {
    if (only && !only.includes(name)) continue;
    const startedAt = performance.now();
    results = { ...results, ...(await measure()) };
    console.error(`${name}: measured in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  }
  return results;
}

function complete(measured: Partial<Results>, { quick, suiteSeconds }: BenchOptions): Results {
  const all = measured as Results;
  const { plain, keyed } = all.cpu;
  // As precise as on the page, so that an update computes the same.
  const milliseconds = (microseconds: number) => Number((microseconds / 1_000).toFixed(2));
  const cpuMilliseconds = {
    ours: { plain: milliseconds(plain.ours), keyed: milliseconds(keyed.ours) },
    shelf: { plain: milliseconds(plain.shelf), keyed: milliseconds(keyed.shelf) },
  };
  return {
    ...all,
    quick,
    suiteSeconds,
    measuredAt: new Date().toISOString(),
    machine: `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'} (${arch()}), Node ${process.version}`,
    costs: computeCosts({ ...all, cpuMilliseconds }),
    stackCost: computeStackCost({ ...all, cpuMilliseconds }),
  };
}

function report(results: Results): void {
  const rows = rowsOf(results);
  console.table(
    rows.map(({ id: _id, met, ...row }) => ({ ...row, met: met === undefined ? '' : met ? 'yes' : 'NO' })),
  );
  write(pageOf(results, rows), chartsOf(results));
}

/** Only what was measured, and what follows from it. */
function update(measured: Partial<Results>): void {
  const page = readFileSync(path(PAGE), 'utf8');
  const updated = updateCounted(page, measured, processorTimeOn(page));
  write(updated.page, updated.charts);
}

function write(page: string, charts: Readonly<Record<string, string>>): void {
  const pictures = path('../docs/images/performance/');
  mkdirSync(pictures, { recursive: true });
  for (const [file, svg] of Object.entries(charts)) writeFileSync(`${pictures}${file}`, svg);
  writeFileSync(path(PAGE), page);
}

/** Writes what `test/bench/deterministic.test.ts` compares with. */
function commit(measured: Partial<Results>): void {
  const { calls, units, deliveryUnits, rejectionUnits, background, imports, functionCalls } = measured;
  if (!calls || !units || !deliveryUnits || !rejectionUnits || !background || !imports || !functionCalls)
    throw new Error('--commit needs calls, write-units and bundles');
  const figures = {
    ...countedFigures({ calls, units, deliveryUnits, rejectionUnits, background }),
    [FUNCTION_CALLS]: functionCalls,
    'bundle KB: ingest-server': Math.ceil(imports.bytes.ours / 1_000),
    'bundle KB: ingest-webhook': Math.ceil(imports.bytes.webhook / 1_000),
  };
  writeFileSync(path('committed.json'), `${JSON.stringify(figures, null, 2)}\n`);
}

export interface BenchOptions {
  readonly quick: boolean;
  readonly commit: boolean;
  /** Whether to write what `only` measures into the page. */
  readonly update: boolean;
  /** The names of measurements. If undefined, all of them run, and the page is written. */
  readonly only: readonly string[] | undefined;
  readonly suiteSeconds: number | undefined;
}

export function readOptions(args: readonly string[]): BenchOptions {
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
  return {
    quick: values.quick,
    commit: values.commit,
    update: values.update,
    only: values.only?.split(','),
    suiteSeconds: seconds === undefined ? undefined : Number(seconds),
  };
}
