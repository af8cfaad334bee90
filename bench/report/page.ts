import type { LocalStackCosts } from '../measure/local-stack.ts';
import { LONG_PARTS, type Results } from '../measured.ts';
import { dollarsSection, sendingSection, stackSection } from './cost-sections.ts';
import { callsSection, growthSection, table, unitsSection } from './counted-sections.ts';
import { commitOf, dayOf, functionsSection, partsSection, wholeRun } from './function-sections.ts';
import { type Row, type RowId, round } from './local-rows.ts';
import { alertsSection, searchSection } from './search-section.ts';

export function cpuSection({ cpu, profile }: Results): string {
  const milliseconds = (microseconds: number) => `${round(microseconds / 1_000)} ms`;
  return `## Processor time

![Processor time](images/performance/cpu.svg)

\`process.cpuUsage\` of a process that runs one deployed bundle, one request at a time, with a store in another process that answers at once: ${cpu.rounds} rounds of ${cpu.requestsPerRound} requests each, in turns, after a warm-up. Medians, and ratios of adjacent rounds. On this machine, under this run's load:

${table(
  ['', 'this service', 'off the shelf', 'floor'],
  [
    ['accepted', milliseconds(cpu.plain.ours), milliseconds(cpu.plain.shelf), milliseconds(cpu.plain.floor)],
    ['accepted, with key', milliseconds(cpu.keyed.ours), milliseconds(cpu.keyed.shelf), ''],
  ],
)}

![Parts](images/performance/cpu-parts.svg)

From a profile of the same requests, by package. ${summary(profile)} The profile runs from source, because bundles don't have package names. Built-ins count for their caller, so most of JSON shows up under the callers.`;
}

function summary(profile: Results['profile']): string {
  const of = (part: string) => profile.find(([name]) => name === part)?.[1] ?? 0;
  const percent = (share: number) => `${round(share * 100, 0)} %`;
  return `The SDK and its sockets take ${percent(of('AWS SDK') + of('HTTP and sockets'))}, scoring ${percent(of('scoring'))}, our own code ${percent(of('our own code'))}, Middy ${percent(of('Middy'))}.`;
}

export function throughputSection({ throughput }: Results): string {
  const rows = throughput.flatMap(({ connections, loads }) =>
    (['ours', 'shelf', 'floor'] as const).map((name) => {
      const { requestsPerSecond, p50, p99 } = loads[name];
      const against = requestsPerSecond / loads.shelf.requestsPerSecond;
      return [
        connections,
        TITLES[name],
        `${round(against)} ×`,
        round(requestsPerSecond, 0),
        round(p50, 0),
        round(p99, 0),
      ];
    }),
  );
  return `## Over HTTP

![Throughput](images/performance/throughput.svg)

\`autocannon\` against the local gateway with all three functions, each in a pool of worker environments that run one request at a time, on DynamoDB Local and a local SQS. Bodies of 1 KB, no key, and enough senders to stay below the limits. Everything shares the processors of one machine, also the load generator, so this compares the three and says nothing about AWS.

${table(['connections', '', 'relative to off the shelf', 'requests per second', 'p50 ms', 'p99 ms'], rows)}`;
}

const TITLES = { ours: 'this service', shelf: 'off the shelf', floor: 'floor' } as const;

export function importSection({ imports: { bytes, milliseconds, toDefault, runs } }: Results): string {
  const kilobytes = (value: number) => `${round(value / 1_000, 0)} KB`;
  return `## Bundles and cold starts

![Import](images/performance/import.svg)

Each bundle is loaded in a fresh process ${runs} times, in turns. The median of the ratios is ${round(toDefault)}.

${table(
  ['', 'bytes', 'import on this machine'],
  [
    ['ingest-server, as deployed', kilobytes(bytes.ours), `${round(milliseconds.ours, 0)} ms`],
    ['ingest-webhook, as deployed', kilobytes(bytes.webhook), ''],
    [
      "ingest-server, esbuild's defaults",
      kilobytes(bytes.byDefault),
      `${round(milliseconds.byDefault, 0)} ms`,
    ],
    ['off the shelf, bundled like ours', kilobytes(bytes.shelf), `${round(milliseconds.shelf, 0)} ms`],
    ['floor, bundled like ours', kilobytes(bytes.floor), ''],
  ],
)}`;
}

export function scoringSection({ scoring }: Results): string {
  return `## Scoring

Measured with tinybench. Typical leads come from [test/fixtures/leads](../test/fixtures/leads); hostile ones are 128 KB designed to be slow.

${table(
  ['body', 'median ms', 'p99 ms', 'goal ms'],
  scoring.map(({ body, median, p99, goal }) => [body, round(median, 3), round(p99, 3), goal]),
)}`;
}

export function startSection({ starts, localStack }: Results): string {
  return `## The local stack

\`npm start\` in a new data folder took ${round(starts.first, 1)} s, and ${round(starts.again, 1)} s again in the same one (median), until it was ready. The load average was ${round(starts.loadPerProcessor, 1)} per processor; above 1, other programs were using the machine, too.${localStack === undefined ? '' : `\n\n${localStackText(localStack)}`}`;
}

function localStackText({ leads, connections, residentMegabytes, onDisk, ...cost }: LocalStackCosts): string {
  const count = (share: number) => (share * leads).toLocaleString('en');
  return `\`npm start --ephemeral\` took ${count(1)} leads of 1 KB over ${connections} connections. CPU is the time of Node and Java until all leads were enriched and counted, ${round(cost.secondsUntilIdle, 0)} s after the last response; when idle, both take ${round(100 * cost.idleShare, 1)} % of one processor. Java's memory grows with the leads, which it holds in memory. With data on disk, the default, ${onDisk.leads.toLocaleString('en')} leads were all done ${round(onDisk.secondsUntilIdle, 0)} s after the last response, and a lead was in the inbox ${round(onDisk.inboxSeconds.slowest, 1)} s after its response at the latest; idle: ${round(100 * onDisk.idleShare, 1)} %.

${table(
  ['resident memory, MB', 'Node', 'Java', 'both'],
  residentMegabytes.map(({ node, java }, index) => [
    index === 3 ? 'and all background work' : `after ${count(index / 2)} leads`,
    ...[node, java, node + java].map((value) => round(value, 0)),
  ]),
)}`;
}

/** The whole of docs/performance.md. Never edit that file by hand. */
export function pageOf(results: Results, rows: readonly Row[]): string {
  return [
    '# Performance and cost',
    '<!-- Written by `npm run bench`. Change the bench, not this page. -->',
    introduction(results),
    '## Figures and goals',
    verdicts(rows),
    misses(rows),
    functionsSection(results),
    callsSection(results),
    unitsSection(results),
    stackSection(results),
    dollarsSection(results),
    sendingSection(results),
    searchSection(results),
    alertsSection(results),
    cpuSection(results),
    throughputSection(results),
    importSection(results),
    scoringSection(results),
    growthSection(results),
    startSection(results),
    partsSection(results),
    reproducing(),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function introduction({ parts }: Results): string {
  const run = wholeRun(parts);
  return `What does an accepted lead cost and how fast is it, compared with what a team would otherwise build? One run measures three functions, in turns, on the same engines:

- **this service**: Surface 1a, the deployed bundle;
- **off the shelf**: Middy, Powertools' idempotency, rate-limiter-flexible, \`PutCommand\` and \`SendMessage\`, each used as its documentation recommends ([bench/off-the-shelf](../bench/off-the-shelf/README.md)). It checks a token, enforces both limits and supports idempotency keys. It does not score, record rejections or log;
- **the floor**: a bare handler with one \`PutItem\`.

Calls, units and bytes are the same on every machine. Times are compared only within this run, as ratios. Measured on ${dayOf(run)} (commit: ${commitOf(run)}), ${run.machine}${run.quick ? ', with `--quick`: fewer rounds and less data than the full run' : ''}. [Some parts](#when-each-part-was-measured) were measured at another time.`;
}

function verdicts(rows: readonly Row[]): string {
  return table(['figure', 'measured', 'off the shelf', 'goal', 'met'], rows.map(verdictCells));
}

function verdictCells({ figure, measured, shelf = '', goal, met }: Row): string[] {
  return [figure, measured, shelf, goal, met === undefined ? '' : met ? 'yes' : '**no**'];
}

function misses(rows: readonly Row[]): string {
  const missed = rows.filter(({ met }) => met === false);
  if (missed.length === 0) return 'All measured goals are met.';
  return ['Missed goals and why:', '', ...missed.map(missedLine)].join('\n');
}

function missedLine({ id, figure, measured, goal }: Row): string {
  return `- ${figure}: ${measured}, goal ${goal}. ${REASONS_FOR_MISSES[id] ?? ''}`.trim();
}

function reproducing(): string {
  return `## How to reproduce

\`npm run bench\` measures everything but ${LONG_PARTS.join(' and ')}, which take longer, and writes this page, its charts, [bench/results.json](../bench/results.json) with everything that the page says, and [bench/committed.json](../bench/committed.json). It shows how long it will take. \`--quick\` uses fewer rounds and less data, \`--only calls,write-units\` prints some results and writes nothing, \`--only search --update\` also writes them into this page, with their own date, \`--suite-seconds N\` adds the duration of \`npm test\`. It has the requirements of \`npm start\` and needs an idle machine: on a busy one the ratios hold within 10 to 20 %, but wall-clock times don't.

CI compares the figures that are the same everywhere (calls, units, bytes, bundles, and how many functions an accepted request calls) with \`bench/committed.json\`: \`test/bench/deterministic.full.test.ts\` fails when one differs, when a function of the template has none, and when the whole stack costs more than it may. \`test/bench/page.unit.test.ts\` fails when this page says something else. To accept other figures, run \`npm run bench -- --only calls,write-units,functions,bundles,sending --commit\`, which also updates this page.`;
}

/** Explanations for goals that are missed. */
const REASONS_FOR_MISSES: Readonly<Partial<Record<RowId, string>>> = {
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
    'A good third of it is DynamoDB Local, which handles six calls and some polling per lead: the leads are those of 40 workspaces, so that statistics can hardly share calls. Other programs on the same processors slow both down.',
  'local throughput':
    'The load generator, Node and Java share the processors with everything else on the machine.',
  'local memory':
    'DynamoDB Local holds the leads in memory, with their indexes and stream records, and each thread of Node has its own heap.',
  suite:
    'Tests run in plain Node, in tiers. The rest is work on real engines: all files share one DynamoDB Local, so more cores help only in part.',
  scoring:
    "Both processor time and wall-clock time. The slowest hostile body meets its goal. The profile below shows scoring's share of a request.",
  sending:
    'Everything that decides about a message is read at the moment it is sent, so that an erased lead or a deleted destination counts at once: five strongly consistent reads. Dispatch reads the destinations at most once per batch, which costs less per message the more destinations a workspace has. Every message writes one log line.',
  dollars:
    'Exact statistics need one more write per batch, and enrichments that never outlive their lead one more read.',
  search:
    'A page of 50 leads takes some 65 read units of its own: who has handled or reviewed a lead is read from the lead, because the index learns of it a moment later. DynamoDB Local takes up to a second to filter a megabyte on processors that other programs use, too. The calls that have begun when a step should end are waited for.',
};
