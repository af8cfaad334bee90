import { InvalidArgumentError } from 'commander';
import { readDuration } from './duration.ts';

/** Reads a date, a date with time, or how long ago (`36h`); gives ISO 8601 in UTC. */
export function readMoment(text: string, _previous?: unknown, nowMilliseconds = Date.now()): string {
  if (/^\d+[mhd]$/.test(text)) return new Date(nowMilliseconds - readDuration(text)).toISOString();
  const isDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const milliseconds = isDate ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(milliseconds)) {
    throw new InvalidArgumentError(
      'A moment is a date (2026-11-15), a time with its zone (2026-11-15T08:00Z), or how long ago (36h, 7d).',
    );
  }
  return new Date(milliseconds).toISOString();
}
