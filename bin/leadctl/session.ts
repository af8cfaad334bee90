import { UsageFailure } from './failure.ts';
import { makeInterruption } from './interruption.ts';
import type { OpenStack } from './open-stack.ts';
import { type Answer, print, type Terminal } from './print.ts';

export interface GlobalOptions {
  readonly outputs?: string;
  readonly stack?: string;
  readonly json?: boolean;
}

/** What a command gets: the stack, the terminal, and how to name a next command for the same stack. */
export interface Session extends OpenStack {
  readonly terminal: Terminal;
  readonly command: (rest: string) => string;
  readonly json: boolean;
  /** From the first call on, Ctrl-C aborts this signal instead of ending the program; a second one ends it. */
  readonly interruption: () => AbortSignal;
}

/** What a command does. One that has printed everything itself, line by line, answers with its exit status alone. */
export type Work = (session: Session) => Promise<Answer | { readonly exitCode: number }>;

/** Runs one command's work against the stack that the options name, and prints its answer. */
export type RunCommand = (work: Work) => Promise<void>;

/** For a command that does not always need a stack. */
export interface WithoutStack {
  /** How an outputs file is named, if one is. */
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
      const answer = await work({ terminal, json });
      if ('lines' in answer) print(answer, json, terminal.stdout);
      keepExitCode(answer.exitCode ?? 0);
    },
  };
}

/** Gives the exit status. */
export async function runInSession(options: GlobalOptions, terminal: Terminal, work: Work): Promise<number> {
  const outputs = options.outputs ?? terminal.env.LEADCTL_OUTPUTS;
  if (!outputs) {
    throw new UsageFailure(
      'Which stack? Give the file that `cdk deploy --outputs-file` or `npm start` wrote: --outputs FILE, or LEADCTL_OUTPUTS in the environment.',
    );
  }
  // Not before now: the SDK takes longer to load than help takes to print.
  const [{ openStack }, { explain }] = await Promise.all([import('./open-stack.ts'), import('./explain.ts')]);
  const stack = openStack(outputs, options.stack);
  const interruption = makeInterruption(terminal.stdout);
  const json = options.json ?? false;
  try {
    // The operator's shell sets LEADCTL_OUTPUTS for the next command too.
    const named = outputs === terminal.env.LEADCTL_OUTPUTS ? undefined : outputs;
    const command = (rest: string) => commandLine({ ...options, outputs: named }, rest);
    const answer = await work({ ...stack, terminal, command, json, interruption: interruption.signal });
    if ('lines' in answer) print(answer, json, terminal.stdout);
    return answer.exitCode ?? 0;
  } catch (error) {
    if (interruption.readerIsGone()) return 0;
    throw explain(error, stack.outputs, interruption.failure()) ?? error;
  } finally {
    interruption.close();
    stack.client.destroy();
    stack.queueClient.destroy();
  }
}

function commandLine({ outputs, stack }: GlobalOptions, rest: string): string {
  return [
    'npx leadctl',
    ...(outputs ? [`--outputs ${shellWord(outputs)}`] : []),
    ...(stack ? [`--stack ${shellWord(stack)}`] : []),
    rest,
  ].join(' ');
}

/** What the operator may paste into a shell as it stands. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
