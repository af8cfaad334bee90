import type { Results } from '../measurements.ts';
import {
  callsSection,
  dollarsSection,
  growthSection,
  sendingSection,
  table,
  unitsSection,
} from './counted-sections.ts';
import type { Row, RowId } from './local-rows.ts';
import {
  cpuSection,
  importSection,
  scoringSection,
  startSection,
  throughputSection,
} from './timed-sections.ts';

/** The whole of docs/performance.md. Never edit that file by hand. */
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
    sendingSection(results),
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
  return `What does an accepted lead cost and how fast is it, compared with what a team would otherwise build? One run measures three functions, in turns, on the same engines:

- **this service**: Surface 1a, the deployed bundle;
- **off the shelf**: Middy, Powertools' idempotency, rate-limiter-flexible, \`PutCommand\` and \`SendMessage\`, each used as its documentation recommends ([bench/off-the-shelf](../bench/off-the-shelf/README.md)). It checks a token, enforces both limits and supports idempotency keys. It does not score, record rejections or log;
- **the floor**: a bare handler with one \`PutItem\`.

Calls, units and bytes are the same on every machine. Times are compared only within this run, as ratios. Measured on ${measuredAt.slice(0, 10)}, ${machine}${quick ? ', with `--quick`: fewer rounds and less data than the full run' : ''}.`;
}

function verdicts(rows: readonly Row[]): string {
  const mark = (met: boolean | undefined) => (met === undefined ? '' : met ? 'yes' : '**no**');
  return table(
    ['figure', 'measured', 'off the shelf', 'goal', 'met'],
    rows.map(({ figure, measured, shelf = '', goal, met }) => [figure, measured, shelf, goal, mark(met)]),
  );
}

function misses(rows: readonly Row[]): string {
  const missed = rows.filter(({ met }) => met === false);
  if (missed.length === 0) return 'All measured goals are met.';
  const lines = missed.map(({ id, figure, measured, goal }) =>
    `- ${figure}: ${measured}, goal ${goal}. ${REASONS_FOR_MISSES[id] ?? ''}`.trim(),
  );
  return ['Missed goals and why:', '', ...lines].join('\n');
}

function reproducing(): string {
  return `## How to reproduce

\`npm run bench\` measures everything and writes this page and its charts. \`--quick\` uses fewer rounds and less data, \`--only calls,write-units\` prints some results and writes nothing, \`--suite-seconds N\` adds the duration of \`npm test\`. It has the requirements of \`npm start\` and needs an idle machine: on a busy one the ratios hold within 10 to 20 %, but wall-clock times don't.

CI compares the figures that are the same everywhere (calls, write units, bundle bytes) with [bench/committed.json](../bench/committed.json): \`test/bench/deterministic.test.ts\` fails when one gets worse. To accept a worse figure, run \`npm run bench -- --only calls,write-units,bundles --commit\`.`;
}

/** Explanations for goals that are missed. */
export const REASONS_FOR_MISSES: Readonly<Partial<Record<RowId, string>>> = {
  'cpu to floor':
    'An accepted request makes two calls where the floor makes one, and each call costs as much in the SDK and the socket as the whole floor; scoring comes on top. Less would need another HTTP client or no scoring.',
  bundle:
    'Scoring needs word lists, domain lists and phone metadata, and the document client needs the SDK. See docs/decisions.',
  import: 'Most of it is the SDK itself, which both bundles load.',
  throughput:
    'All three share the processors with the gateway, the load generator and DynamoDB Local, so savings in the function show only in part.',
  start:
    'Most of it is the synthesis of the stack and the start of the Java virtual machine, which take longer on a busy machine.',
  'local cpu':
    'Half of it is DynamoDB Local, which handles four calls and some polling per lead. Other programs on the same processors slow both down.',
  'local throughput':
    'The load generator, Node and Java share the processors with everything else on the machine.',
  'local memory':
    'DynamoDB Local holds the leads in memory, with their indexes and stream records, and each thread of Node has its own heap.',
  suite:
    'Tests run in plain Node, in tiers. The rest is work on real engines: all files share one DynamoDB Local, so more cores help only in part.',
  scoring:
    "Both processor time and wall-clock time. The slowest hostile body meets its goal. The profile below shows scoring's share of a request.",
  sending:
    'Everything that decides about a message is read at the moment it is sent, so that an erased lead or a deleted destination counts at once: five strongly consistent reads. Dispatch makes one SQS call per lead, which costs less per message the more destinations a workspace has. Every message writes one log line.',
  dollars:
    'Exact statistics, and enrichments that never outlive their lead, need transactions, which DynamoDB charges twice.',
};
