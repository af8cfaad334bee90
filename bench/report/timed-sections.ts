import type { LocalStackCost } from '../measure/local-stack.ts';
import type { Results } from '../measurements.ts';
import { table } from './counted-sections.ts';
import { round } from './rows.ts';

export function cpuSection({ cpu, profile }: Results): string {
  const milliseconds = (microseconds: number) => `${round(microseconds / 1_000)} ms`;
  return `## Processor time

![Processor time](images/performance/cpu.svg)

\`process.cpuUsage\` of a process that holds one deployed bundle and is invoked one request at a time, over a store in another process that answers at once: ${cpu.rounds} rounds of ${cpu.requestsPerRound} requests each, in turns, after a warm-up; medians, and ratios of neighbouring rounds. On this machine, under the load of this run:

${table(
  ['', 'this service', 'from the shelf', 'floor'],
  [
    ['accepted', milliseconds(cpu.plain.ours), milliseconds(cpu.plain.shelf), milliseconds(cpu.plain.floor)],
    ['accepted, with key', milliseconds(cpu.keyed.ours), milliseconds(cpu.keyed.shelf), ''],
  ],
)}

![Parts](images/performance/cpu-parts.svg)

From a profile of the same requests, by package. ${summary(profile)} The profile runs from source, since packages have no names in a bundle; built-ins count for whoever calls them, so JSON shows mostly under those who parse.`;
}

function summary(profile: Results['profile']): string {
  const of = (part: string) => profile.find(([name]) => name === part)?.[1] ?? 0;
  const percent = (share: number) => `${round(share * 100, 0)} %`;
  return `The SDK and the sockets under it take ${percent(of('AWS SDK') + of('HTTP and sockets'))}, scoring ${percent(of('scoring'))}, our own code ${percent(of('our own code'))}, Middy ${percent(of('Middy'))}.`;
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

\`autocannon\` against the local gateway, which has all three functions behind it in pools of worker environments, one request at a time in each, on DynamoDB Local and a local SQS; 1 KB, no key, so many senders that nobody meets a limit. Everything shares the processors of one machine, the load generator too, so this says how the three compare and nothing about AWS.

${table(['connections', '', 'against the shelf', 'requests a second', 'p50 ms', 'p99 ms'], rows)}`;
}

const TITLES = { ours: 'this service', shelf: 'from the shelf', floor: 'floor' } as const;

export function importSection({ imports: { bytes, milliseconds, toDefault, runs } }: Results): string {
  const kilobytes = (value: number) => `${round(value / 1_000, 0)} KB`;
  return `## Bundles and cold starts

![Import](images/performance/import.svg)

A bundle is loaded in a fresh process, ${runs} times, in turns; the median of the ratios is ${round(toDefault)}.

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
    ['from the shelf, bundled as ours', kilobytes(bytes.shelf), `${round(milliseconds.shelf, 0)} ms`],
    ['floor, bundled as ours', kilobytes(bytes.floor), ''],
  ],
)}`;
}

export function scoringSection({ scoring }: Results): string {
  return `## Scoring

By tinybench; typical leads are those of [test/fixtures/leads](../test/fixtures/leads), hostile ones are 128 KB made to be slow.

${table(
  ['body', 'median ms', 'p99 ms', 'goal ms'],
  scoring.map(({ body, median, p99, goal }) => [body, round(median, 3), round(p99, 3), goal]),
)}`;
}

export function startSection({ starts, localStack }: Results): string {
  return `## The local stack

\`npm start\` in a new data folder took ${round(starts.first, 1)} s, and ${round(starts.again, 1)} s again in the same one (median), until its line on stdout. The machine's load average was then ${round(starts.loadPerProcessor, 1)} for each of its processors: with more than 1, others were using it too.${localStack === undefined ? '' : `\n\n${localStackText(localStack)}`}`;
}

function localStackText({ leads, connections, residentMegabytes, ...cost }: LocalStackCost): string {
  const count = (share: number) => (share * leads).toLocaleString('en');
  return `\`npm start --ephemeral\` took ${count(1)} leads of 1 KB over ${connections} connections. CPU is what the kernel charged to Node and to Java until all leads were enriched and counted, ${round(cost.secondsUntilIdle, 0)} s after the last answer; with nothing to do, both take ${round(100 * cost.idleShare, 0)} % of one processor. Java's memory grows with the leads, which it keeps there.

${table(
  ['resident memory, MB', 'Node', 'Java', 'both'],
  residentMegabytes.map(({ node, java }, index) => [
    `after ${count(index / 2)} leads`,
    ...[node, java, node + java].map((value) => round(value, 0)),
  ]),
)}`;
}
