/** One bar: whose it is, how long, and what stands at its end. */
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
  shelf: 'from the shelf',
  floor: 'floor: one PutItem',
  defaults: "esbuild's defaults",
};
const COLOURS: Readonly<Record<Series, string>> = {
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
        `<rect x="${LEFT}" y="${top}" width="${scale(value).toFixed(1)}" height="${BAR}" rx="2" fill="${COLOURS[series]}"/>`,
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
      return `<rect x="${x}" y="38" width="10" height="10" rx="2" fill="${COLOURS[series]}"/><text x="${x + 15}" y="47">${escaped(LEGENDS[series])}</text>`;
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
