import { Command, InvalidArgumentError } from 'commander';

export interface LocalOptions {
  /** Where the ingest endpoints listen; 0 takes any free port. */
  readonly port: number;
  /** What is kept between starts. Undefined: everything in memory, gone at the end. */
  readonly dataDirectory: string | undefined;
  readonly json: boolean;
  /** Whether functions may do only what their roles in the template allow. */
  readonly enforceIam: boolean;
}

interface Given {
  readonly port: number;
  readonly data?: string;
  readonly ephemeral: boolean;
  readonly json: boolean;
  readonly enforceIam: boolean;
}

const DEFAULTS = { port: 8787, data: '.local' } as const;

/** Reads the command line. A mistake in it, or --help, ends the process: with one line, or with the usage. */
export function readOptions(argv: readonly string[]): LocalOptions {
  const command = new Command('npm start --')
    .description('Runs the whole service on this machine: the synthesised stack on DynamoDB Local.')
    .option('--port <n>', 'port of the ingest endpoints; 0 takes any free one', readPort, DEFAULTS.port)
    .option('--data <dir>', `folder kept across restarts (default: "${DEFAULTS.data}")`, readFolder)
    .option('--ephemeral', 'keep everything in memory and leave nothing behind', false)
    .option('--enforce-iam', 'deny functions what their roles in the template do not allow', false)
    .option('--json', 'print one line of JSON on stdout when ready, everything else on stderr', false)
    .allowExcessArguments(false)
    .showSuggestionAfterError(false)
    .parse(argv, { from: 'user' });
  const given = command.opts<Given>();
  if (given.ephemeral && given.data !== undefined) {
    command.error('error: --ephemeral keeps nothing, so it cannot be combined with --data');
  }
  return {
    port: given.port,
    dataDirectory: given.ephemeral ? undefined : (given.data ?? DEFAULTS.data),
    json: given.json,
    enforceIam: given.enforceIam,
  };
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  }
  return port;
}

function readFolder(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must name a folder.');
  return text;
}
