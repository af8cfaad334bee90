import { Command } from 'commander';
import manifest from '../../packages/leadctl/package.json' with { type: 'json' };
import { addBackupCommand } from './backup.ts';
import { addDeadLetterCommands } from './dead-letters.ts';
import { addDiagnosticsCommand } from './diagnostics.ts';
import { addDoctorCommand } from './doctor.ts';
import { addExplainCommand } from './explain-signature.ts';
import { addFormCommands } from './form.ts';
import { addLeadCommands } from './leads.ts';
import { addOwnerCommands } from './owner.ts';
import type { Output, Terminal } from './print.ts';
import { addRestoreCommand } from './restore.ts';
import { addSecretCommands } from './secret.ts';
import { addSendCommand } from './send.ts';
import { type GlobalOptions, makeWithoutStack, type RunCommand, runInSession } from './session.ts';
import { addTokenCommands } from './token.ts';
import { addWorkspaceCommands } from './workspace.ts';

/** In the order in which an operator first needs them, which is the order of the help. */
const GROUPS: readonly ((program: Command, run: RunCommand) => void)[] = [
  addWorkspaceCommands,
  addFormCommands,
  addSecretCommands,
  addTokenCommands,
  addOwnerCommands,
  addSendCommand,
  addExplainCommand,
  addLeadCommands,
  addDiagnosticsCommand,
  addDeadLetterCommands,
  addBackupCommand,
  addRestoreCommand,
];

const DESCRIPTION = `Sets up and runs a lead-ingest stack: workspaces, forms, webhook secrets, server tokens, owners, leads.

The stack is the one that wrote the outputs file: on this machine, or on AWS with your own credentials.`;

const FIRST_STEPS = `
From nothing to a first lead:
  $ export LEADCTL_OUTPUTS=outputs.json          what cdk deploy --outputs-file or npm start wrote
  $ npx leadctl workspace create --name "Acme"
  $ npx leadctl form create --workspace ws_… --name "Contact us"
  $ npx leadctl secret set --form form_…         for a webhook provider, who signs what it sends
  $ npx leadctl token create --form form_…       for a backend of your own
  $ npx leadctl send --surface 1b --form form_… --use-form-secret
  $ npx leadctl leads list --form form_…
Before and after a deployment to AWS, and when leads do not arrive:
  $ npx leadctl doctor                                   what is wrong, and what to do
  $ npx leadctl diagnostics --workspace ws_… --follow    why submissions are rejected, as it happens
  $ npx leadctl explain --form form_… …                  what is wrong with a signature

Each command has more to say: npx leadctl workspace create --help

Exit status: 0 done; 1 it could not be done, or not all of it; 2 the command line or the outputs file is wrong;
130 interrupted.`;

/** Where help is printed into a pipe or a file. */
const PIPE_WIDTH = 80;

interface Keep {
  /** What commander would show when a command is cut short: its help. */
  readonly usage: (text: string) => void;
  readonly exitCode: (code: number) => void;
}

export function makeProgram(terminal: Terminal, keep: Keep): Command {
  const { stdout, stderr } = terminal;
  const program = new Command('leadctl')
    .usage('--outputs FILE [--json] <command> …')
    .description(DESCRIPTION)
    .version(manifest.version, '--version', 'print the version')
    // Not commander's own .env(), which reads the variables of the process.
    .option('--outputs <file>', 'the outputs file of the stack to work on (env: LEADCTL_OUTPUTS)')
    .option('--stack <name>', 'which stack, if the file has several')
    .option('--json', 'print one JSON document; errors as JSON on stderr')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', FIRST_STEPS)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: keep.usage,
      outputError: () => {},
      getOutHelpWidth: () => widthOf(stdout),
      getErrHelpWidth: () => widthOf(stderr),
      // There are none in the texts.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  const run: RunCommand = async (work) =>
    keep.exitCode(await runInSession(program.opts<GlobalOptions>(), terminal, work));
  const withoutStack = makeWithoutStack(() => program.opts<GlobalOptions>(), terminal, keep.exitCode);
  addDoctorCommand(program, run, withoutStack);
  for (const addCommands of GROUPS) addCommands(program, run);
  return program;
}

function widthOf({ isTTY, columns }: Output): number {
  return isTTY ? (columns ?? PIPE_WIDTH) : PIPE_WIDTH;
}
