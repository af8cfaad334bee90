import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countedFigures } from './deterministic.ts';
import { computeCosts, computeStackCost } from './measure/cost.ts';
import type { Measured, PartRun, Results } from './measured.ts';
import { chartsOf } from './report/charts.ts';
import { pageOf } from './report/page.ts';
import { rowsOf } from './report/rows.ts';

/** A part with what it measured, as kept in results.json. */
export type KeptPart = PartRun & { readonly results: Partial<Measured> };
export type KeptParts = Readonly<Record<string, KeptPart>>;

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const RESULTS = path('results.json');
const COMMITTED = path('committed.json');

/** The last run of every part. */
export function readKept(): KeptParts {
  return existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as KeptParts) : {};
}

/** Everything that the page says. Throws if a part was never measured. */
export function completeResults(kept: KeptParts): Results {
  const all = Object.assign({}, ...Object.values(kept).map(({ results }) => results)) as Measured;
  const inputs = { ...all, cpuMilliseconds: cpuMillisecondsOf(all) };
  return { ...all, parts: kept, costs: computeCosts(inputs), stackCost: computeStackCost(inputs) };
}

/** Fails before a run, not at its end. */
export function requireKept(names: readonly string[]): void {
  const kept = readKept();
  const missing = names.filter((name) => kept[name] === undefined).join();
  if (missing !== '') throw new Error(`Measure first: npm run bench -- --only ${missing} --update`);
}

/** What an accepted request takes, for the costs. */
export function cpuMillisecondsOf({ cpu: { plain, keyed } }: Pick<Measured, 'cpu'>) {
  const of = (name: 'ours' | 'shelf') => ({ plain: plain[name] / 1_000, keyed: keyed[name] / 1_000 });
  return { ours: of('ours'), shelf: of('shelf') };
}

/** Writes the parts that were measured, and the page with all of them. */
export function save(measured: KeptParts): Results {
  // What the file will say, so that the page says the same.
  const kept = JSON.parse(JSON.stringify({ ...readKept(), ...measured }, shortNumbers)) as KeptParts;
  writeFileSync(RESULTS, `${JSON.stringify(kept, null, 1)}\n`);
  const results = completeResults(kept);
  for (const [file, content] of Object.entries(filesOf(results))) {
    mkdirSync(dirname(path(file)), { recursive: true });
    writeFileSync(path(file), content);
  }
  return results;
}

/** The page and its pictures, by their paths from here. */
export function filesOf(results: Results): Record<string, string> {
  const charts = Object.entries(chartsOf(results));
  return {
    '../docs/performance.md': pageOf(results, rowsOf(results)),
    ...Object.fromEntries(charts.map(([file, svg]) => [`../docs/images/performance/${file}`, svg])),
  };
}

/** Writes what `test/bench/deterministic.full.test.ts` compares with. */
export function commitFigures(results: Results): void {
  writeFileSync(COMMITTED, `${JSON.stringify(countedFigures(results), null, 2)}\n`);
}

/** Six digits are more than any measurement has. */
function shortNumbers(_name: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
}

export const thisMachine = () =>
  `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'} (${arch()}), Node ${process.version}`;

/** What the bench itself writes is no change of the code. */
const OWN_FILES = [
  'bench/results.json',
  'bench/committed.json',
  'docs/performance.md',
  'docs/images/performance',
];

export function thisCommit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: path('..'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    const changes = git('status', '--porcelain', '--', '.', ...OWN_FILES.map((file) => `:!${file}`));
    return `${git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}
