import type { Share } from '../measure/cpu.ts';
import type { Results } from '../measured.ts';
import { round } from './local-rows.ts';

/** One bar: its name, its length, and the text at its end. */
export interface Bar {
  readonly series: Series;
  readonly value: number;
  readonly text: string;
}

export interface BarGroup {
  readonly label: string;
  readonly bars: readonly Bar[];
}

export type Series = 'ours' | 'shelf' | 'floor' | 'defaults';

const LEGENDS: Readonly<Record<Series, string>> = {
  ours: 'this service',
  shelf: 'off the shelf',
  floor: 'floor: one PutItem',
  defaults: "esbuild's defaults",
};
const COLORS: Readonly<Record<Series, string>> = {
  ours: '#0a6ebd',
  shelf: '#b0bac5',
  floor: '#dfe4ea',
  defaults: '#dfe4ea',
};

const WIDTH = 760;
const LEFT = 190;
const RIGHT = 130;
const BAR = 16;
const GAP = 14;
const TOP = 62;

/** Horizontal bars in groups, as an SVG that reads well on light and dark pages alike. */
export function barChart(title: string, groups: readonly BarGroup[]): string {
  const longest = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
  const scale = (value: number) => Math.max(1, (value / longest) * (WIDTH - LEFT - RIGHT));
  let y = TOP;
  const parts = groups.map(({ label, bars }) => {
    const drawn = bars.map(({ series, value, text }, index) => {
      const top = y + index * (BAR + 2);
      return [
        `<rect x="${LEFT}" y="${top}" width="${scale(value).toFixed(1)}" height="${BAR}" rx="2" fill="${COLORS[series]}"/>`,
        `<text x="${(LEFT + scale(value) + 6).toFixed(1)}" y="${top + 12}">${escaped(text)}</text>`,
      ].join('\n');
    });
    const height = bars.length * (BAR + 2);
    const named = `<text x="${LEFT - 10}" y="${y + height / 2 + 3}" text-anchor="end">${escaped(label)}</text>`;
    y += height + GAP;
    return [named, ...drawn].join('\n');
  });
  const used = [...new Set(groups.flatMap(({ bars }) => bars.map(({ series }) => series)))];
  return frame(title, y, [legend(used), ...parts]);
}

function legend(used: readonly Series[]): string {
  return used
    .map((series, index) => {
      const x = LEFT + index * 150;
      return `<rect x="${x}" y="38" width="10" height="10" rx="2" fill="${COLORS[series]}"/><text x="${x + 15}" y="47">${escaped(LEGENDS[series])}</text>`;
    })
    .join('\n');
}

export function frame(title: string, height: number, parts: readonly string[]): string {
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}" font-family="system-ui, sans-serif" font-size="12" fill="#1b2430">`,
    `<rect width="${WIDTH}" height="${height}" rx="8" fill="#ffffff"/>`,
    `<text x="20" y="24" font-size="14" font-weight="600">${escaped(title)}</text>`,
    ...parts,
    '</svg>',
  ].join('\n')}\n`;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const SHARE_COLORS = [
  '#0a6ebd',
  '#4b9cd3',
  '#8cc4e8',
  '#2a9d8f',
  '#8ab17d',
  '#e9c46a',
  '#f4a261',
  '#e76f51',
  '#b0bac5',
  '#dfe4ea',
];
const SHARE_LEFT = 20;
const FULL = 720;

/** One bar divided into parts, with a list of them below. */
export function shareChart(title: string, shares: readonly Share[]): string {
  let x = SHARE_LEFT;
  const bar = shares.map(([, share], index) => {
    const width = share * FULL;
    const rect = `<rect x="${x.toFixed(1)}" y="40" width="${width.toFixed(1)}" height="26" fill="${SHARE_COLORS[index % SHARE_COLORS.length]}"/>`;
    x += width;
    return rect;
  });
  const list = shares.map(([part, share], index) => {
    const column = SHARE_LEFT + (index % 3) * 240;
    const row = 88 + Math.floor(index / 3) * 20;
    return `<rect x="${column}" y="${row - 9}" width="10" height="10" rx="2" fill="${SHARE_COLORS[index % SHARE_COLORS.length]}"/><text x="${column + 15}" y="${row}">${escaped(part)} ${(share * 100).toFixed(0)} %</text>`;
  });
  return frame(title, 80 + Math.ceil(shares.length / 3) * 20 + 8, [...bar, ...list]);
}

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

export function callsChart({ calls, shelfCalls }: Pick<Results, 'calls' | 'shelfCalls'>): string {
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
  return barChart('Calls in sequence that a sender waits for', groups);
}

/** Relative to the off-the-shelf function, because sizes differ by a factor of 300. */
export function unitsChart({ units, shelfUnits }: Pick<Results, 'units' | 'shelfUnits'>): string {
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

export function dollarsChart({ costs }: Pick<Results, 'costs'>): string {
  const groups = costs.map(
    ({ size, keyed, whole }): BarGroup => ({
      label: keyed ? `${size}, with key` : size,
      bars: [
        { series: 'ours', value: whole.ours / whole.shelf, text: `$ ${round(whole.ours)}` },
        { series: 'shelf', value: 1, text: `$ ${round(whole.shelf)}` },
      ],
    }),
  );
  return barChart('US dollars per million accepted leads, whole stack (each size to its own scale)', groups);
}

function cpuChart({ cpu: { plain, keyed } }: Results): string {
  const text = (microseconds: number) => `${round(microseconds / plain.floor)} ×`;
  return barChart('Processor time of the handler, relative to the floor', [
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
  return barChart('Requests per second over the local gateway, relative to off the shelf', groups);
}

function importChart({ imports: { milliseconds } }: Results): string {
  const text = (value: number) => `${round(value / milliseconds.byDefault)} ×`;
  return barChart('Import time in a fresh process, relative to the same code in a default bundle', [
    {
      label: 'as deployed',
      bars: [{ series: 'ours', value: milliseconds.ours, text: text(milliseconds.ours) }],
    },
    {
      label: "esbuild's defaults",
      bars: [{ series: 'defaults', value: milliseconds.byDefault, text: text(milliseconds.byDefault) }],
    },
    {
      label: 'off the shelf, as deployed',
      bars: [{ series: 'shelf', value: milliseconds.shelf, text: text(milliseconds.shelf) }],
    },
  ]);
}
