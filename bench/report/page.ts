import type { Results } from '../measurements.ts';
import { callsSection, dollarsSection, growthSection, table, unitsSection } from './counted-sections.ts';
import type { Row, RowId } from './rows.ts';
import {
  cpuSection,
  importSection,
  scoringSection,
  startSection,
  throughputSection,
} from './timed-sections.ts';

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
    `- ${figure}: ${measured}, goal ${goal}. ${REASONS_FOR_MISSES[id] ?? ''}`.trim(),
  );
  return ['Missed, and why:', '', ...lines].join('\n');
}

function reproducing(): string {
  return `## Reproducing this

\`npm run bench\` measures everything and writes this page and its pictures; \`--quick\` does so with fewer rounds and less data, \`--only calls,write-units\` prints some of it and writes nothing, \`--suite-seconds N\` puts in what \`npm test\` took. It needs what \`npm start\` needs, and a machine that has nothing else to do: on a busy one the ratios hold, within a tenth or two, and wall-clock times do not.

CI holds the figures that are the same everywhere (calls, write units, bundle bytes) to [bench/committed.json](../bench/committed.json): \`test/bench/deterministic.test.ts\` fails when one gets worse. What is worse on purpose is committed by \`npm run bench -- --only calls,write-units,bundles --commit\`.`;
}

/** Said beside a goal that is missed, and only then. */
export const REASONS_FOR_MISSES: Readonly<Partial<Record<RowId, string>>> = {
  'cpu to floor':
    'An accepted request makes two calls where the floor makes one, and each call costs the SDK and the socket as much as the floor does in all; scoring comes on top. Less would need another HTTP client or no scoring.',
  bundle:
    'Scoring brings its word lists, domain lists and phone metadata, and the document client brings the SDK; what is left is named in docs/decisions.',
  import: 'Most of it is the SDK itself, which both bundles load.',
  throughput:
    'All three share two processors with the gateway, the load generator and DynamoDB Local, so what is saved in the function shows only in part.',
  start:
    'Most of it is the synthesis of the stack and the start of the Java virtual machine, and on a machine that is busy with other things both take longer.',
  'local cpu':
    'Half of it is DynamoDB Local, which takes four calls and some polling for each lead, and other programs on the same processors make every millisecond longer.',
  'local throughput':
    'The load generator, Node and Java share the processors, so anything else that runs there takes from it.',
  'local memory':
    'The leads themselves lie in the memory of DynamoDB Local, with their indexes and stream records; each thread of Node has a heap of its own.',
  suite:
    'Tests run in plain Node, in tiers. What is left is the work itself, on real engines: all files share one DynamoDB Local, so it scales with the cores of the machine only in part.',
  scoring:
    "By processor time as well as by the clock; the worst of the hostile bodies keeps its goal. Scoring's share of a request is in the profile below.",
  dollars:
    'Exact statistics and the enrichment that leaves no orphan are transactions, which DynamoDB charges twice.',
};
