import { SIZES } from '../fixtures/index.ts';
import { TYPICAL } from '../measure/scoring.ts';
import type { Results } from '../measured.ts';
import { backgroundRows, dollarRows, searchRows, sendingRows } from './cost-rows.ts';
import { localRows, type Row, round } from './local-rows.ts';

const UNIT_GOALS = { plain: [3, 4, 5, 30], keyed: [6, 8, 10, 60] } as const;

/** The figures of the run with their goals, in the order of the page. */
export function rowsOf(results: Results): Row[] {
  return [
    ...callRows(results),
    ...unitRows(results),
    ...backgroundRows(results),
    ...dollarRows(results),
    ...sendingRows(results),
    ...searchRows(results),
    ...cpuRows(results),
    ...throughputRows(results),
    ...bundleRows(results),
    ...scoringRows(results),
    ...growthRows(results),
    ...localRows(results),
  ];
}

export function callRows({ calls, shelfCalls }: Pick<Results, 'calls' | 'shelfCalls'>): Row[] {
  const most = (fits: (name: string) => boolean) =>
    Math.max(...calls.filter(({ name }) => fits(name)).map(({ warm }) => warm));
  const accepted = ['accepted', 'accepted, with key', 'replay'];
  const goals = [2, 3, 1];
  const rejections = most((name) => !accepted.includes(name));
  return [
    ...accepted.map((name, index): Row => {
      const measured = most((each) => each === name);
      const shelf = shelfCalls.find((each) => each.name === name);
      const goal = goals[index] as number;
      return {
        id: 'calls',
        figure: `DynamoDB calls in sequence, ${name}`,
        measured: String(measured),
        shelf: `${shelf?.inSequence}${shelf?.messages ? ' + SQS' : ''}`,
        goal: `≤ ${goal}`,
        met: measured <= goal,
      };
    }),
    {
      id: 'rejection calls',
      figure: 'DynamoDB calls in sequence, any rejection',
      measured: `${rejections} at most`,
      goal: '≤ 3',
      met: rejections <= 3,
    },
  ];
}

export function unitRows({ units, shelfUnits }: Pick<Results, 'units' | 'shelfUnits'>): Row[] {
  return [false, true].flatMap((keyed) =>
    SIZES.map((size, index): Row => {
      const of = (list: Results['units']) =>
        list.find((each) => each.size === size && each.keyed === keyed)?.writeUnits ?? Number.NaN;
      const goal = UNIT_GOALS[keyed ? 'keyed' : 'plain'][index] as number;
      return {
        id: 'write units',
        figure: `write units of a lead of ${size}${keyed ? ', with key' : ''}`,
        measured: String(of(units)),
        shelf: String(of(shelfUnits)),
        goal: `≤ ${goal}`,
        met: of(units) <= goal,
      };
    }),
  );
}

function cpuRows({ cpu: { ratios }, functionCalls }: Results): Row[] {
  const { toFloorQuartiles: quartiles } = ratios;
  return [
    {
      id: 'function calls',
      figure: 'calls of functions in an accepted request',
      measured: functionCalls.toLocaleString('en'),
      goal: '',
      met: undefined,
    },
    {
      id: 'cpu to floor',
      figure: 'handler CPU of an accepted request, relative to the floor',
      measured: `${round(ratios.toFloor)} ×${quartiles ? ` (quartiles ${quartiles.map((each) => round(each)).join(' and ')})` : ''}`,
      goal: '≤ 2.5 ×',
      met: ratios.toFloor <= 2.5,
    },
    {
      id: 'cpu to shelf',
      figure: 'handler CPU, relative to off the shelf',
      measured: `${round(ratios.toShelf)} ×`,
      goal: '< 0.7 ×',
      met: ratios.toShelf < 0.7,
    },
    {
      id: 'cpu to shelf',
      figure: 'handler CPU with a key, relative to off the shelf',
      measured: `${round(ratios.keyedToShelf)} ×`,
      goal: '< 0.7 ×',
      met: ratios.keyedToShelf < 0.7,
    },
  ];
}

function throughputRows({ throughput }: Results): Row[] {
  return throughput.map(({ connections, toShelf }) => ({
    id: 'throughput',
    figure: `requests per second, relative to off the shelf, ${connections} connection${connections === 1 ? '' : 's'}`,
    measured: `${round(toShelf)} ×`,
    goal: '≥ 1.5 ×',
    met: toShelf >= 1.5,
  }));
}

function bundleRows({ imports: { bytes, toDefault } }: Results): Row[] {
  const most = Math.max(bytes.ours, bytes.webhook) / 1_000;
  return [
    {
      id: 'bundle',
      figure: 'largest bundle of the ingest functions',
      measured: `${round(most, 0)} KB`,
      shelf: `${round(bytes.shelf / 1_000, 0)} KB`,
      goal: '≤ 420 KB',
      met: most <= 420,
    },
    {
      id: 'import',
      figure: "import time, relative to esbuild's default bundle",
      measured: `${round(toDefault)} ×`,
      goal: '≤ 0.8 ×',
      met: toDefault <= 0.8,
    },
  ];
}

function scoringRows({ scoring }: Results): Row[] {
  const typical = scoring.find(({ body }) => body === TYPICAL)?.median ?? Number.NaN;
  const hostile = Math.max(...scoring.filter(({ body }) => body !== TYPICAL).map(({ median }) => median));
  return [
    {
      id: 'scoring',
      figure: 'scoring a typical lead',
      measured: `${round(typical, 3)} ms`,
      goal: '< 0.2 ms',
      met: typical < 0.2,
    },
    {
      id: 'scoring',
      figure: 'scoring the slowest hostile body',
      measured: `${round(hostile)} ms`,
      goal: '< 10 ms',
      met: hostile < 10,
    },
  ];
}

function growthRows({ growth, ownerReads }: Results): Row[] {
  const [before, after] = growth;
  const text = (grown: typeof before) =>
    `${grown?.calls.join('/')} calls, ${grown?.writeUnits.join('/')} units`;
  const count = (value: number | undefined) => (value ?? 0).toLocaleString('en');
  const beyond = ownerReads.filter(({ many, most }) => many > most);
  return [
    {
      id: 'growth',
      figure: `a submission at ${count(before?.leads)} leads and ${count(before?.workspaces)} workspace, at ${count(after?.leads)} and ${count(after?.workspaces)}`,
      measured: text(before) === text(after) ? `${text(after)}, both` : `${text(before)}; ${text(after)}`,
      goal: 'the same',
      met: text(before) === text(after),
    },
    {
      id: 'owner reads',
      figure: `reads of the owner's pages at ${count(after?.leads)} leads and rejections`,
      measured: `${Math.max(...ownerReads.map(({ many }) => many))} calls at most`,
      goal: 'bounded',
      met: beyond.length === 0,
    },
  ];
}
