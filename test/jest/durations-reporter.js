import { relative } from 'node:path';
import { LIMITS, TIERS } from './tiers.js';

const SLOWEST = 10;
/** A machine may be busy with other things. */
const QUARTER = 4;

/** Prints how long each tier took, the slowest files, and which tests come near the time limit of their tier. */
export default class DurationsReporter {
  #rootDir;

  constructor({ rootDir }) {
    this.#rootDir = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    const files = testResults.filter(({ perfStats }) => perfStats.end > 0);
    // Since Jest was started, so including the start of the local stack.
    const lines = ['Durations', `  all    ${seconds(process.uptime() * 1_000)}`];
    for (const tier of TIERS) {
      const own = files.filter(({ displayName }) => displayName?.name === tier);
      if (own.length === 0) continue;
      const start = Math.min(...own.map(({ perfStats }) => perfStats.start));
      const end = Math.max(...own.map(({ perfStats }) => perfStats.end));
      const tests = own.reduce((sum, { numPassingTests }) => sum + numPassingTests, 0);
      lines.push(`  ${tier.padEnd(6)} ${seconds(end - start)}  ${own.length} files, ${tests} tests passed`);
    }
    const slowest = files.toSorted((one, other) => other.perfStats.runtime - one.perfStats.runtime);
    lines.push('Slowest files');
    for (const { testFilePath, perfStats } of slowest.slice(0, SLOWEST)) {
      lines.push(`  ${seconds(perfStats.runtime)}  ${relative(this.#rootDir, testFilePath)}`);
    }
    const near = files.flatMap(({ testResults: tests, displayName }) =>
      tests.filter(({ duration }) => duration > LIMITS[displayName?.name] / QUARTER),
    );
    if (near.length > 0) lines.push("Tests that took more than a quarter of their tier's time limit");
    for (const { duration, fullName } of near) lines.push(`  ${seconds(duration)}  ${fullName}`);
    process.stderr.write(`\n${lines.join('\n')}\n`);
  }
}

function seconds(milliseconds) {
  return `${(milliseconds / 1_000).toFixed(1).padStart(6)} s`;
}
