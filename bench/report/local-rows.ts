import type { LocalStackCosts, Split } from '../measure/local-stack.ts';
import type { Results } from '../measured.ts';

export function round(value: number, digits = 2): string {
  return value.toFixed(digits);
}

/** A figure, its goal, and whether it is met. Undefined if this run did not measure it. */
export interface Row {
  readonly id: RowId;
  readonly figure: string;
  readonly measured: string;
  /** The figure of the off-the-shelf function, if it has one. */
  readonly shelf?: string;
  readonly goal: string;
  readonly met: boolean | undefined;
}

export type RowId =
  | 'calls'
  | 'rejection calls'
  | 'write units'
  | 'background'
  | 'dollars'
  | 'sending'
  | 'search'
  | 'function calls'
  | 'cpu to floor'
  | 'cpu to shelf'
  | 'throughput'
  | 'bundle'
  | 'import'
  | 'scoring'
  | 'growth'
  | 'owner reads'
  | 'start'
  | 'local cpu'
  | 'local throughput'
  | 'local inbox'
  | 'local idle'
  | 'local disk'
  | 'local memory'
  | 'suite';

/** The figures for developers: `npm start` and `npm test`. */
export function localRows({ starts, localStack, suiteSeconds }: Results): Row[] {
  return [
    {
      id: 'start',
      figure: '`npm start` until ready, in a new data folder',
      measured: `${round(starts.first, 1)} s (again: ${round(starts.again, 1)} s)`,
      goal: '≤ 8 s',
      met: starts.first <= 8,
    },
    ...(localStack === undefined ? [] : costRows(localStack)),
    {
      id: 'suite',
      figure: '`npm test`',
      measured:
        suiteSeconds === undefined ? 'not measured in this run' : `${round(suiteSeconds / 60, 1)} min`,
      goal: '< 4 min',
      met: suiteSeconds === undefined ? undefined : suiteSeconds < 240,
    },
  ];
}

/** If Node's memory grows by more than this in the second half of a run, it leaks. */
const MAX_GROWTH = 0.1;

function costRows(cost: LocalStackCosts): Row[] {
  const { cpuMillisecondsPerLead: cpu, leadsPerSecond, connections, residentMegabytes, onDisk } = cost;
  const sum = ({ node, java }: Split) => node + java;
  const [, half = NONE, all = NONE] = residentMegabytes;
  const growth = all.node / half.node - 1;
  const leads = cost.leads.toLocaleString('en');
  return [
    {
      id: 'local cpu',
      figure: 'CPU of the local stack per accepted lead, including background work',
      measured: `${round(sum(cpu), 1)} ms (Node ${round(cpu.node, 1)}, Java ${round(cpu.java, 1)})`,
      goal: '≤ 18 ms',
      met: sum(cpu) <= 18,
    },
    {
      id: 'local throughput',
      figure: `accepted leads per second of the local stack, ${connections} connections`,
      measured: round(leadsPerSecond, 0),
      goal: '≥ 100',
      met: leadsPerSecond >= 100,
    },
    {
      id: 'local inbox',
      figure: `from \`202\` to the inbox in the local stack, at ${cost.steadyPerSecond} leads per second`,
      measured: `${round(cost.inboxSeconds.slowest, 1)} s (median ${round(cost.inboxSeconds.median, 1)} s)`,
      goal: '< 5 s',
      met: cost.inboxSeconds.slowest < 5,
    },
    {
      id: 'local idle',
      figure: 'share of one processor that the local stack takes when idle',
      measured: `${round(100 * cost.idleShare, 1)} %`,
      goal: '< 4 %',
      met: cost.idleShare < 0.04,
    },
    {
      id: 'local disk',
      figure: 'the same with data on disk: CPU per lead, leads per second',
      measured: `${round(sum(onDisk.cpuMillisecondsPerLead), 1)} ms, ${round(onDisk.leadsPerSecond, 0)}`,
      goal: 'within a factor of 2',
      met: sum(onDisk.cpuMillisecondsPerLead) <= 2 * sum(cpu) && onDisk.leadsPerSecond >= leadsPerSecond / 2,
    },
    {
      id: 'local memory',
      figure: `resident memory of the local stack after ${leads} leads`,
      measured: `${round(sum(all), 0)} MB (Node ${round(all.node, 0)}, Java ${round(all.java, 0)})`,
      goal: '< 600 MB',
      met: sum(all) < 600,
    },
    {
      id: 'local memory',
      figure: "growth of Node's memory in the second half",
      measured: `${round(100 * growth, 0)} %`,
      goal: `≤ ${100 * MAX_GROWTH} %`,
      met: growth <= MAX_GROWTH,
    },
  ];
}

const NONE: Split = { node: Number.NaN, java: Number.NaN };
