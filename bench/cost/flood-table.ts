import { floods } from './flood.ts';

const RATES = [10, 100, 1_000, 10_000];

/** Of SECURITY.md. Two digits: the last would be prices that change. */
export function floodTable(): string {
  const rows = floods().flatMap(({ target, dollars, stoppedBy }) =>
    RATES.map((rate) => {
      const second = dollars(rate);
      const cells = [rate.toLocaleString('en'), rounded(second * 3_600), rounded(second * 86_400)];
      return `| ${target} | ${cells.join(' | ')} | ${stoppedBy(rate)} |`;
    }),
  );
  return [
    '| flood of | requests/s | $ per hour | $ per day | what stops it first |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function rounded(dollars: number): string {
  return Number(dollars.toPrecision(2)).toLocaleString('en', { maximumFractionDigits: 2 });
}
