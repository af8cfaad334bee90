import { Command, CommanderError, Help } from 'commander';
import manifest from '../../packages/leadctl/package.json' with { type: 'json' };
import { cannotWrite, Failure, fileProblem, isFileError, UsageFailure } from '../operator/failure.ts';
import { escapedFor, type Output, printFailure, type Terminal } from '../operator/terminal.ts';
import { LEADCTL } from './command-line.ts';
import { addCommands } from './commands.ts';
import { type GlobalOptions, makeWithoutStack, type RunCommand, runInSession } from './session.ts';

const DESCRIPTION = `Set up and operate a lead-ingest stack: workspaces, forms, webhook secrets, server tokens, owners, leads.

The outputs file selects the stack: on this machine, or on AWS with your own credentials.`;

const FIRST_STEPS = `
Get started:
  $ export LEADCTL_OUTPUTS=outputs.json     # written by cdk deploy --outputs-file or npm start
  $ ${LEADCTL} workspace create --name "Acme"
  $ ${LEADCTL} form create --workspace ws_… --name "Contact us"
  $ ${LEADCTL} secret set --form form_…      # for a webhook provider
  $ ${LEADCTL} token create --form form_…    # for your own backend
  $ ${LEADCTL} send --surface 1b --form form_… --use-form-secret
  $ ${LEADCTL} leads list --form form_…
  $ ${LEADCTL} destination create --workspace ws_… --kind webhook --url https://…

Troubleshoot:
  $ ${LEADCTL} doctor                        # check the account or the stack
  $ ${LEADCTL} diagnostics --workspace ws_… --follow    # show rejections as they happen
  $ ${LEADCTL} explain --form form_… …       # find out why a signature doesn't match

Help for a command: ${LEADCTL} workspace create --help

Exit status: 0 success; 1 failure, complete or partial; 2 invalid command line or outputs file; 130 interrupted.`;

/** For help that is printed to a pipe or a file. */
const PIPE_WIDTH = 80;

interface Keep {
  /** Help that commander prints when a command is incomplete. */
  readonly usage: (text: string) => void;
  readonly exitCode: (code: number) => void;
}

/** Without arguments, it has every command in full. */
export async function makeProgram(
  terminal: Terminal,
  keep: Keep,
  args?: readonly string[],
): Promise<Command> {
  const { stdout, stderr } = terminal;
  const program: Command = new Command('leadctl')
    .usage('--outputs FILE [--json] <command> …')
    .description(DESCRIPTION)
    .version(manifest.version, '--version', 'print the version')
    // Not commander's .env(), which reads the variables of the process.
    .option('--outputs <file>', 'outputs file of the stack (env: LEADCTL_OUTPUTS)')
    .option('--stack <name>', 'stack name, if the file has several stacks')
    .option('--json', 'print JSON; errors go to stderr, also as JSON')
    .configureHelp({
      showGlobalOptions: true,
      // Only names: the arguments of a command that was not loaded are unknown.
      subcommandTerm: (command) =>
        command.parent === program ? command.name() : new Help().subcommandTerm(command),
    })
    .addHelpText('after', FIRST_STEPS)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: keep.usage,
      outputError: () => {},
      getOutHelpWidth: () => widthOf(stdout),
      getErrHelpWidth: () => widthOf(stderr),
      // The texts have no colors.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  const run: RunCommand = async (work) =>
    keep.exitCode(await runInSession(program.opts<GlobalOptions>(), terminal, work));
  const withoutStack = makeWithoutStack(() => program.opts<GlobalOptions>(), terminal, keep.exitCode);
  // A completion script is about all of them.
  const isNamed = (name: string) => !args || args.includes(name) || args.includes('completion');
  await addCommands(program, isNamed, run, withoutStack);
  return program;
}

function widthOf({ isTTY, columns }: Output): number {
  return isTTY ? (columns ?? PIPE_WIDTH) : PIPE_WIDTH;
}

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
  const keep: Keep = {
    usage: (text) => {
      usage += text;
    },
    exitCode: (code) => {
      exitCode = code;
    },
  };
  const program = await makeProgram(terminal, keep, args);
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
