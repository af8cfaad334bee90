import type { WriteStream } from 'node:tty';
import { Command, InvalidArgumentError } from 'commander';
import type { Progress } from './start-local-stack.ts';

export interface LocalOptions {
  /** The port of the ingest endpoints. 0 means any free port. */
  readonly port: number;
  /** The folder that is kept between starts. Undefined: everything stays in memory. */
  readonly dataDirectory: string | undefined;
  readonly json: boolean;
  /** Whether functions may do only what their roles in the template allow. */
  readonly enforceIam: boolean;
  /** Whether owners may name `http://127.0.0.1` as a destination. */
  readonly allowLoopbackDestinations: boolean;
  /** Whether items stay after their time to live. */
  readonly keepExpired: boolean;
  /** By how much the time of scheduled events is ahead of the clock. 0: schedules run as on AWS. */
  readonly scheduleAheadMilliseconds: number;
  /** Whether functions work in turn, as with the setting of that name. */
  readonly smallAccount: boolean;
}

interface Given {
  readonly port: number;
  readonly data?: string;
  readonly ephemeral: boolean;
  readonly json: boolean;
  readonly enforceIam: boolean;
  readonly allowLoopbackDestinations: boolean;
  readonly keepExpired: boolean;
  readonly scheduleAhead: number;
  readonly smallAccount: boolean;
}

const DEFAULTS = { port: 8787, data: '.local' } as const;

/** Reads the command line. Invalid options and --help end the process. */
export function readOptions(argv: readonly string[]): LocalOptions {
  const command = new Command('npm start --')
    .description('Runs the whole service on this machine, with DynamoDB Local.')
    .option('--port <n>', 'port of the ingest endpoints; 0 for any free port', readPort, DEFAULTS.port)
    .option('--data <dir>', `folder kept across restarts (default: "${DEFAULTS.data}")`, readFolder)
    .option('--ephemeral', 'keep everything in memory and delete it at the end', false)
    .option('--enforce-iam', 'deny calls that the roles in the template do not allow', false)
    .option(
      '--allow-loopback-destinations',
      'let destinations be on this machine: http://127.0.0.1 with any port',
      false,
    )
    .option(
      '--keep-expired',
      'keep items after their time to live, for tests with a clock of their own',
      false,
    )
    .option(
      '--schedule-ahead <time>',
      'run scheduled functions every 10 seconds, at a time that is so far ahead: 90m, 24h, 7d',
      readDuration,
      0,
    )
    .option('--small-account', 'let functions work in turn, once a minute, as in a small account', false)
    .option('--json', 'print one line of JSON to stdout when ready, everything else to stderr', false)
    .allowExcessArguments(false)
    .showSuggestionAfterError(false)
    .parse(argv, { from: 'user' });
  const given = command.opts<Given>();
  if (given.ephemeral && given.data !== undefined) {
    command.error('error: --ephemeral cannot be combined with --data');
  }
  return {
    port: given.port,
    dataDirectory: given.ephemeral ? undefined : (given.data ?? DEFAULTS.data),
    json: given.json,
    enforceIam: given.enforceIam,
    allowLoopbackDestinations: given.allowLoopbackDestinations,
    keepExpired: given.keepExpired,
    scheduleAheadMilliseconds: given.scheduleAhead,
    smallAccount: given.smallAccount,
  };
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new InvalidArgumentError('Use a number from 0 to 65535.');
  }
  return port;
}

const MINUTE_MS = 60_000;
const UNITS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
};

function readDuration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const milliseconds = Number(count) * (UNITS[unit] ?? 0);
  if (!(milliseconds > 0)) throw new InvalidArgumentError('Use a number and m, h or d, such as 24h.');
  return milliseconds;
}

function readFolder(text: string): string {
  if (text === '') throw new InvalidArgumentError('Name a folder.');
  return text;
}

const ERASE_LINE = '\r\u001b[K';

/** One line per finished step. A terminal also shows the current steps, in a line that is rewritten. */
export function makeProgress(output: Pick<WriteStream, 'write' | 'isTTY'>): Progress {
  const underWay = new Set<string>();
  let ended = false;

  function show(line?: string): void {
    if (ended) return;
    const finished = line === undefined ? '' : `${line}\n`;
    if (!output.isTTY) {
      if (finished !== '') output.write(finished);
      return;
    }
    const pending = underWay.size === 0 ? '' : `  … ${[...underWay].join(', ')}`;
    output.write(`${ERASE_LINE}${finished}${pending}`);
  }

  return {
    async step(doing, done, work) {
      const startedAt = performance.now();
      underWay.add(doing);
      show();
      try {
        const result = await work;
        underWay.delete(doing);
        show(`  ✓ ${done} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
        return result;
      } finally {
        underWay.delete(doing);
      }
    },
    clear() {
      if (!ended && output.isTTY) output.write(ERASE_LINE);
      ended = true;
    },
  };
}
