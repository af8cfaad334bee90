import { CommanderError } from 'commander';
import { Failure, UsageFailure } from './failure.ts';
import { escapedFor, type Output, printFailure, type Terminal } from './print.ts';
import { makeProgram } from './program.ts';

/** Runs one command line and gives its exit status. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  // Looked up by hand: a command line that cannot be parsed still says how its error is wanted.
  const json = args.includes('--json');
  let usage = '';
  let exitCode = 0;
  const program = makeProgram(terminal, {
    usage: (text) => {
      usage += text;
    },
    exitCode: (code) => {
      exitCode = code;
    },
  });
  endQuietlyWithTheReader(terminal.stdout);
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return report(error, json, terminal.stderr);
    if (error.exitCode === 0) return 0;
    if (error.code !== 'commander.help' || json) return report(usageFailure(error), json, terminal.stderr);
    terminal.stderr.write(usage);
    return 2;
  }
}

function report(error: unknown, json: boolean, stderr: Output): number {
  if (error instanceof Failure) {
    printFailure(error, json, stderr);
    return error.exitCode;
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  printFailure({ code: 'unexpected', message: `This should not happen: ${message}` }, json, stderr);
  if (!json) stderr.write(`${escapedFor(stderr, String(stack))}\n`);
  return 1;
}

function usageFailure({ code, message }: CommanderError): UsageFailure {
  if (code === 'commander.help') return new UsageFailure('The command is incomplete: --help lists them.');
  const sentence = message
    .replace(/^error: /, '')
    // "--secret=…" is unknown, and what follows it is nobody's business.
    .replace(/'(--[^'=]+)=.*'/s, "'$1'")
    .replace(/\n\((.*)\)$/, '. $1')
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/([^.?])$/, '$1.');
  return new UsageFailure(`${sentence} Add --help to see what is possible.`);
}

/** `leadctl … | head` closes the pipe early, which is no error of ours. */
function endQuietlyWithTheReader(stdout: Output): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
