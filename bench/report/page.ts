import type { Results } from '../results.ts';
import { callsSection, growthSection, unitsSection } from './counted-sections.ts';
import { dollarsSection } from './dollars-section.ts';
import type { Row } from './row.ts';
import { table } from './table.ts';
import {
  cpuSection,
  importSection,
  scoringSection,
  startSection,
  throughputSection,
} from './timed-sections.ts';
import { WHY_NOT } from './why-not.ts';

/** docs/performance.md, whole: written by the bench and never by hand. */
export function pageOf(results: Results, rows: readonly Row[]): string {
  return [
    '# Performance and cost',
    '<!-- Written by `npm run bench`. Change the bench, not this page. -->',
    introduction(results),
    '## Figures and goals',
    verdicts(rows),
    misses(rows),
    callsSection(results),
    unitsSection(results),
    dollarsSection(results),
    cpuSection(results),
    throughputSection(results),
    importSection(results),
    scoringSection(results),
    growthSection(results),
    startSection(results),
    reproducing(),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function introduction({ measuredAt, machine, quick }: Results): string {
  return `What does an accepted lead cost, and how fast is it, against what a team would otherwise build? Three functions are measured in one run, in turns, on the same engines:

- **this service**: Surface 1a, the bundle that is deployed;
- **from the shelf**: Middy, Powertools' idempotency, rate-limiter-flexible, \`PutCommand\` and \`SendMessage\`, each used as its own documentation says ([bench/off-the-shelf](../bench/off-the-shelf/README.md)). It checks a token, keeps both limits and honours keys; it does not score, records no rejections and writes no log line;
- **the floor**: a bare handler that does one \`PutItem\` and nothing else.

Calls, units and bytes are the same on every machine. Times are only ever compared within this run, as ratios. Measured on ${measuredAt.slice(0, 10)}, ${machine}${quick ? ', with `--quick`: fewer rounds and less data than the full run' : ''}.`;
}

function verdicts(rows: readonly Row[]): string {
  const mark = (met: boolean | undefined) => (met === undefined ? '' : met ? 'yes' : '**no**');
  return table(
    ['figure', 'measured', 'from the shelf', 'goal', 'met'],
    rows.map(({ figure, measured, shelf = '', goal, met }) => [figure, measured, shelf, goal, mark(met)]),
  );
}

function misses(rows: readonly Row[]): string {
  const missed = rows.filter(({ met }) => met === false);
  if (missed.length === 0) return 'Every goal that was measured is met.';
  const lines = missed.map(({ id, figure, measured, goal }) =>
    `- ${figure}: ${measured}, goal ${goal}. ${WHY_NOT[id] ?? ''}`.trim(),
  );
  return ['Missed, and why:', '', ...lines].join('\n');
}

function reproducing(): string {
  return `## Reproducing this

\`npm run bench\` measures everything and writes this page and its pictures; \`--quick\` does so with fewer rounds and less data, \`--only calls,write-units\` prints some of it and writes nothing, \`--suite-seconds N\` puts in what \`npm test\` took. It needs what \`npm start\` needs, and a machine that has nothing else to do: on a busy one the ratios hold, within a tenth or two, and wall-clock times do not.

CI holds the figures that are the same everywhere (calls, write units, bundle bytes) to [bench/committed.json](../bench/committed.json): \`test/bench/deterministic.test.ts\` fails when one gets worse. What is worse on purpose is committed by \`npm run bench -- --only calls,write-units,bundles --commit\`.`;
}
