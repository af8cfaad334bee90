import type { Results } from '../results.ts';
import { type BarGroup, barChart } from './bar-chart.ts';
import { round } from './row.ts';
import { shareChart } from './share-chart.ts';

/** The pictures of the page, by file name. */
export function chartsOf(results: Results): Record<string, string> {
  return {
    'calls.svg': callsChart(results),
    'write-units.svg': unitsChart(results),
    'dollars.svg': dollarsChart(results),
    'cpu.svg': cpuChart(results),
    'cpu-parts.svg': shareChart("Where a request's processor time goes", results.profile),
    'throughput.svg': throughputChart(results),
    'import.svg': importChart(results),
  };
}

function callsChart({ calls, shelfCalls }: Results): string {
  const groups = ['accepted', 'accepted, with key', 'replay'].map((label): BarGroup => {
    const ours = calls.find(({ name, surface }) => name === label && surface === '1a')?.warm ?? 0;
    const shelf = shelfCalls.find(({ name }) => name === label);
    return {
      label,
      bars: [
        { series: 'ours', value: ours, text: String(ours) },
        {
          series: 'shelf',
          value: (shelf?.inSequence ?? 0) + (shelf?.messages ?? 0),
          text: `${shelf?.inSequence}${shelf?.messages ? ' and one to SQS' : ''}`,
        },
      ],
    };
  });
  return barChart('Calls that a sender waits for, one after the other', groups);
}

/** Sizes differ by three hundred: each is drawn against the shelf's. */
function unitsChart({ units, shelfUnits }: Results): string {
  const groups = units.map(({ size, keyed, writeUnits }): BarGroup => {
    const shelf = shelfUnits.find((each) => each.size === size && each.keyed === keyed)?.writeUnits ?? 1;
    return {
      label: keyed ? `${size}, with key` : size,
      bars: [
        { series: 'ours', value: writeUnits / shelf, text: `${writeUnits}` },
        { series: 'shelf', value: 1, text: `${shelf}` },
      ],
    };
  });
  return barChart('Write units of an accepted lead, index included (each size to its own scale)', groups);
}

function dollarsChart({ costs }: Results): string {
  const groups = costs.map(
    ({ size, keyed, whole }): BarGroup => ({
      label: keyed ? `${size}, with key` : size,
      bars: [
        { series: 'ours', value: whole.ours / whole.shelf, text: `$ ${round(whole.ours)}` },
        { series: 'shelf', value: 1, text: `$ ${round(whole.shelf)}` },
      ],
    }),
  );
  return barChart('US dollars a million accepted leads, whole stack (each size to its own scale)', groups);
}

function cpuChart({ cpu: { plain, keyed } }: Results): string {
  const text = (microseconds: number) => `${round(microseconds / plain.floor)} ×`;
  return barChart('Processor time of the handler, against the floor', [
    {
      label: 'accepted',
      bars: [
        { series: 'floor', value: plain.floor, text: text(plain.floor) },
        { series: 'ours', value: plain.ours, text: text(plain.ours) },
        { series: 'shelf', value: plain.shelf, text: text(plain.shelf) },
      ],
    },
    {
      label: 'accepted, with key',
      bars: [
        { series: 'ours', value: keyed.ours, text: text(keyed.ours) },
        { series: 'shelf', value: keyed.shelf, text: text(keyed.shelf) },
      ],
    },
  ]);
}

function throughputChart({ throughput }: Results): string {
  const groups = throughput.map(({ connections, loads }): BarGroup => {
    const text = (value: number) => `${round(value / loads.shelf.requestsPerSecond)} ×`;
    return {
      label: `${connections} connection${connections === 1 ? '' : 's'}`,
      bars: (['floor', 'ours', 'shelf'] as const).map((series) => ({
        series,
        value: loads[series].requestsPerSecond / loads.shelf.requestsPerSecond,
        text: text(loads[series].requestsPerSecond),
      })),
    };
  });
  return barChart("Requests a second behind the local gateway, against the shelf's", groups);
}

function importChart({ imports: { milliseconds } }: Results): string {
  const text = (value: number) => `${round(value / milliseconds.byDefault)} ×`;
  return barChart('Import time in a fresh process, against the same code in a default bundle', [
    {
      label: 'as deployed',
      bars: [{ series: 'ours', value: milliseconds.ours, text: text(milliseconds.ours) }],
    },
    {
      label: "esbuild's defaults",
      bars: [{ series: 'defaults', value: milliseconds.byDefault, text: text(milliseconds.byDefault) }],
    },
    {
      label: 'the shelf, as deployed',
      bars: [{ series: 'shelf', value: milliseconds.shelf, text: text(milliseconds.shelf) }],
    },
  ]);
}
