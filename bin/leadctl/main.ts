import { CommanderError } from 'commander';
import { cannotWrite, Failure, fileProblem, isFileError, UsageFailure } from '../operator/failure.ts';
import type { Output, Terminal } from '../operator/terminal.ts';
import { escapedFor, printFailure } from './print.ts';
import { makeProgram } from './program.ts';

/** Runs one command line and returns its exit status. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  // Looked up by hand: it decides how the error is printed if the command line cannot be parsed.
  const json = args.includes('--json');
  const outputError = watchOutput(terminal);
  const ended = await runProgram(args, json, terminal);
  await written(terminal.stdout);
  const error = outputError();
  if (error !== undefined) {
    // `leadctl … | head` closes the pipe early, which is not an error.
    if (error.code === 'EPIPE') return typeof ended === 'number' ? ended : 0;
    return report(cannotWrite('standard output', error), json, terminal.stderr);
  }
  return typeof ended === 'number' ? ended : report(ended.error, json, terminal.stderr);
}

/** The exit status, or what the command threw. */
async function runProgram(
  args: readonly string[],
  json: boolean,
  terminal: Terminal,
): Promise<number | { readonly error: unknown }> {
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
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return { error };
    if (error.exitCode === 0) return 0;
    if (error.code !== 'commander.help' || json) return { error: usageFailure(error) };
    terminal.stderr.write(usage);
    return 2;
  }
}

function report(error: unknown, json: boolean, stderr: Output): number {
  if (error instanceof Failure) {
    printFailure(error, json, stderr);
    return error.exitCode;
  }
  if (isFileError(error)) {
    const file = error.path ?? 'a file';
    return report(new Failure('file', `Cannot access ${file}: ${fileProblem(error)}.`), json, stderr);
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  printFailure({ code: 'unexpected', message: `Internal error: ${message}` }, json, stderr);
  if (!json) stderr.write(`${escapedFor(stderr, String(stack))}\n`);
  return 1;
}

function usageFailure({ code, message }: CommanderError): UsageFailure {
  if (code === 'commander.help')
    return new UsageFailure('The command is incomplete. Add --help to see its subcommands.');
  const sentence = message
    .replace(/^error: /, '')
    // The value of an unknown option may be a secret: "--secret=…".
    .replace(/'(--[^'=]+)=.*'/s, "'$1'")
    .replace(/\n\((.*)\)$/, '. $1')
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/([^.?])$/, '$1.');
  return new UsageFailure(`${sentence} Add --help for usage.`);
}

/** Without a listener, a full disk or a closed pipe would end the process with a stack trace. */
function watchOutput({ stdout, stderr }: Terminal): () => NodeJS.ErrnoException | undefined {
  let first: NodeJS.ErrnoException | undefined;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    first ??= error;
  });
  stderr.on('error', () => undefined);
  return () => first;
}

/** Resolves when everything so far has been written, or could not be. */
function written(stdout: Output): Promise<void> {
  return new Promise((resolve) => {
    stdout.write('', () => resolve());
  });
}
