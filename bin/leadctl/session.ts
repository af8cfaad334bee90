import { UsageFailure } from '../operator/failure.ts';
import type { OpenStack } from '../operator/open-stack.ts';
import {
  type CommandResult,
  makeInterruption,
  type PrintedCommand,
  print,
  printedCommand,
  type Terminal,
} from '../operator/terminal.ts';
import { LEADCTL } from './command-line.ts';

export interface GlobalOptions {
  readonly outputs?: string;
  readonly stack?: string;
  readonly json?: boolean;
}

/** What a command gets: the stack, the terminal, and a way to suggest another command for the same stack. */
export interface Session extends OpenStack {
  readonly terminal: Terminal;
  readonly command: PrintedCommand;
  readonly json: boolean;
  /** From the first call on, Ctrl-C aborts this signal instead of ending the program. A second Ctrl-C ends it. */
  readonly interruption: () => AbortSignal;
}

/** What a command does. If it has printed everything itself, it returns only its exit status. */
export type Work = (session: Session) => Promise<CommandResult | { readonly exitCode: number }>;

/** Runs a command against the stack that the options select, and prints its result. */
export type RunCommand = (work: Work) => Promise<void>;

/** For commands that do not always need a stack. */
export interface WithoutStack {
  /** How the outputs file was given, if it was. */
  outputsNamed(): 'by option' | 'by environment' | undefined;
  run(work: (bare: Pick<Session, 'terminal' | 'json'>) => ReturnType<Work>): Promise<void>;
}

export function makeWithoutStack(
  options: () => GlobalOptions,
  terminal: Terminal,
  keepExitCode: (code: number) => void,
): WithoutStack {
  return {
    outputsNamed() {
      if (options().outputs) return 'by option';
      return terminal.env.LEADCTL_OUTPUTS ? 'by environment' : undefined;
    },
    async run(work) {
      const json = options().json ?? false;
      const response = await work({ terminal, json });
      if ('lines' in response) print(response, json, terminal.stdout);
      keepExitCode(response.exitCode ?? 0);
    },
  };
}

/** Returns the exit status. */
export async function runInSession(options: GlobalOptions, terminal: Terminal, work: Work): Promise<number> {
  const outputs = options.outputs ?? terminal.env.LEADCTL_OUTPUTS;
  if (!outputs) {
    throw new UsageFailure(
      'No stack selected. Pass --outputs FILE or set LEADCTL_OUTPUTS to the file that `cdk deploy --outputs-file` or `npm start` wrote.',
    );
  }
  // Loaded late: help and usage errors do not need the SDK.
  const [{ openStack }, { explain }] = await Promise.all([
    import('../operator/open-stack.ts'),
    import('../operator/explain.ts'),
  ]);
  const stack = openStack(outputs, options.stack);
  const interruption = makeInterruption(terminal.stdout);
  const json = options.json ?? false;
  try {
    // LEADCTL_OUTPUTS is also set for the next command.
    const named = outputs === terminal.env.LEADCTL_OUTPUTS ? undefined : outputs;
    const leadctl = commandLine({ ...options, outputs: named });
    const command: PrintedCommand = (...words) => `${leadctl} ${printedCommand(...words)}`;
    const response = await work({ ...stack, terminal, command, json, interruption: interruption.signal });
    if ('lines' in response) print(response, json, terminal.stdout);
    return response.exitCode ?? 0;
  } catch (error) {
    if (interruption.readerIsGone()) return 0;
    throw explain(error, stack.outputs, interruption.failure()) ?? error;
  } finally {
    interruption.close();
    stack.client.destroy();
    stack.queueClient.destroy();
  }
}

function commandLine({ outputs, stack }: GlobalOptions): string {
  const named = [...(outputs ? ['--outputs', outputs] : []), ...(stack ? ['--stack', stack] : [])];
  return printedCommand`${[...LEADCTL.split(' '), ...named]}`;
}
