import { InvalidArgumentError } from 'commander';

const UNIT_MILLISECONDS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `0`, `90m`, `24h` or `7d`. A bare number other than 0 is refused: nobody knows its unit. */
export function readDuration(text: string): number {
  if (text === '0') return 0;
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const milliseconds = UNIT_MILLISECONDS[unit ?? ''];
  if (milliseconds === undefined) {
    throw new InvalidArgumentError(
      'A duration is 0, or a number of minutes, hours or days, such as 90m, 24h or 7d.',
    );
  }
  return Number(count) * milliseconds;
}
