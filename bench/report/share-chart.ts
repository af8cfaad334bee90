import type { Share } from '../cpu/summarise-profile.ts';
import { escaped, frame } from './bar-chart.ts';

const COLOURS = [
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
const LEFT = 20;
const FULL = 720;

/** One bar divided into parts, with a list of them below. */
export function shareChart(title: string, shares: readonly Share[]): string {
  let x = LEFT;
  const bar = shares.map(([, share], index) => {
    const width = share * FULL;
    const rect = `<rect x="${x.toFixed(1)}" y="40" width="${width.toFixed(1)}" height="26" fill="${COLOURS[index % COLOURS.length]}"/>`;
    x += width;
    return rect;
  });
  const list = shares.map(([part, share], index) => {
    const column = LEFT + (index % 3) * 240;
    const row = 88 + Math.floor(index / 3) * 20;
    return `<rect x="${column}" y="${row - 9}" width="10" height="10" rx="2" fill="${COLOURS[index % COLOURS.length]}"/><text x="${column + 15}" y="${row}">${escaped(part)} ${(share * 100).toFixed(0)} %</text>`;
  });
  return frame(title, 80 + Math.ceil(shares.length / 3) * 20 + 8, [...bar, ...list]);
}
