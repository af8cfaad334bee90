import { existsSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { UsageFailure } from '../operator/failure.ts';

/** The folder of the packed program has no build script, and sources are never packed. */
const isPacked = !import.meta.url.endsWith('.ts') && !existsSync(new URL('../build.js', import.meta.url));

/** In a checkout, npx must not ask the registry: the name is not ours there. */
export const LEADCTL = isPacked ? 'leadctl' : 'npx --no-install leadctl';

/** The end of a command's help. */
export function examples(...commands: readonly string[]): string {
  const lines = commands.map((command) => `  $ ${LEADCTL} --outputs outputs.json ${command}`);
  return `\n${lines.length > 1 ? 'Examples' : 'Example'}:\n${lines.join('\n')}`;
}

type Kind = 'workspace' | 'form' | 'token' | 'destination' | 'message' | 'API key';

const KIND_BY_PREFIX: Readonly<Record<string, Kind>> = {
  ws_: 'workspace',
  form_: 'form',
  tok_: 'token',
  dest_: 'destination',
  msg_: 'message',
  key_: 'API key',
};

/**
 * Rejects ids of another kind. Imported ids may have no prefix, so only known prefixes are checked. A credential passed
 * by mistake must not be repeated in an error message.
 */
export function idOf(wanted: Kind): (text: string) => string {
  return (text) => {
    if (text.trim() === '') throw new UsageFailure(`The ${wanted} ID cannot be empty.`);
    if (/^(ingt_|whsec_|lik_)/.test(text)) {
      throw new UsageFailure(
        `Pass the ${wanted} ID, not a token or secret. Keep credentials off the command line.`,
      );
    }
    for (const [prefix, kind] of Object.entries(KIND_BY_PREFIX)) {
      if (text.startsWith(prefix) && kind !== wanted) {
        throw new UsageFailure(`${text} is a ${kind} ID. This option takes a ${wanted} ID.`);
      }
    }
    return text;
  };
}

/** Reads an integer within bounds. Commander puts the option and the given value before the message. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      throw new InvalidArgumentError(
        `Use a whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}.`,
      );
    }
    return value;
  };
}

const UNIT_MILLISECONDS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `0`, `90m`, `24h` or `7d`. A number without a unit is rejected, except 0. */
export function readDuration(text: string): number {
  if (text === '0') return 0;
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const milliseconds = UNIT_MILLISECONDS[unit ?? ''];
  if (milliseconds === undefined) {
    throw new InvalidArgumentError('Use 0, or minutes, hours or days: 90m, 24h, 7d.');
  }
  return Number(count) * milliseconds;
}

/** Reads a date, a date with time, or a time ago (`36h`). Returns ISO 8601 in UTC. */
export function readMoment(text: string, _previous?: unknown, nowMilliseconds = Date.now()): string {
  if (/^\d+[mhd]$/.test(text)) return new Date(nowMilliseconds - readDuration(text)).toISOString();
  const isDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const milliseconds = isDate ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(milliseconds)) {
    throw new InvalidArgumentError(
      'Use a date (2026-11-15), a time with a time zone (2026-11-15T08:00Z), or a time ago (36h, 7d).',
    );
  }
  return new Date(milliseconds).toISOString();
}
