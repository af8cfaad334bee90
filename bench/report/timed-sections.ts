import type { LocalStackCost } from '../measure/local-stack.ts';
import type { Results } from '../measurements.ts';
import { table } from './counted-sections.ts';
import { round } from './local-rows.ts';

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

function localStackText({ leads, connections, residentMegabytes, ...cost }: LocalStackCost): string {
  const count = (share: number) => (share * leads).toLocaleString('en');
  return `\`npm start --ephemeral\` took ${count(1)} leads of 1 KB over ${connections} connections. CPU is the time of Node and Java until all leads were enriched and counted, ${round(cost.secondsUntilIdle, 0)} s after the last response; when idle, both take ${round(100 * cost.idleShare, 0)} % of one processor. Java's memory grows with the leads, which it holds in memory.

${table(
  ['resident memory, MB', 'Node', 'Java', 'both'],
  residentMegabytes.map(({ node, java }, index) => [
    `after ${count(index / 2)} leads`,
    ...[node, java, node + java].map((value) => round(value, 0)),
  ]),
)}`;
}
