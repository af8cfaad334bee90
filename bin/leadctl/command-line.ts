import { InvalidArgumentError } from 'commander';
import { UsageFailure } from './failure.ts';

/** The end of a command's help. */
export function examples(...commands: readonly string[]): string {
  const lines = commands.map((command) => `  $ npx leadctl --outputs outputs.json ${command}`);
  return `\n${lines.length > 1 ? 'Examples' : 'Example'}:\n${lines.join('\n')}`;
}

type Kind = 'workspace' | 'form' | 'token';

const KIND_BY_PREFIX: Readonly<Record<string, Kind>> = { ws_: 'workspace', form_: 'form', tok_: 'token' };

/**
 * Checks that an id is not of something else. Imported ids may look different, so only what is known to be wrong
 * is refused; and a credential given by mistake must not be repeated in "There is no token …".
 */
export function idOf(wanted: Kind): (text: string) => string {
  return (text) => {
    if (text.trim() === '') throw new UsageFailure(`The id of a ${wanted} cannot be empty.`);
    if (/^(ingt_|whsec_)/.test(text)) {
      throw new UsageFailure(
        `Here goes the id of a ${wanted}, not a token or a secret itself: keep those off command lines.`,
      );
    }
    for (const [prefix, kind] of Object.entries(KIND_BY_PREFIX)) {
      if (text.startsWith(prefix) && kind !== wanted) {
        throw new UsageFailure(`${text} is the id of a ${kind}, and the id of a ${wanted} is needed.`);
      }
    }
    return text;
  };
}

/**
 * Reads a whole number within bounds; everything that lists or repeats has one. Commander knows the option, and puts
 * it before the sentence together with what was given.
 */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      throw new InvalidArgumentError(
        `It takes a whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}.`,
      );
    }
    return value;
  };
}

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
