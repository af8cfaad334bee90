import { createInterface } from 'node:readline';
import { Failure, UsageFailure } from './failure.ts';

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/** Questions go to stderr: stdout is for the answer alone. */
const OWN_TERMINAL: Terminal = { input: process.stdin, output: process.stderr };

/** Returns only if the operator agrees to `deed`, by --yes or by typing yes. */
export async function confirm(
  deed: string,
  { yes }: { yes?: boolean },
  terminal: Terminal = OWN_TERMINAL,
): Promise<void> {
  if (yes) return;
  if (!terminal.input.isTTY) {
    throw new UsageFailure(`There is no terminal to ask at: add --yes to ${deed}.`);
  }
  terminal.output.write(`Type yes to ${deed}: `);
  const answer = await readLine(terminal);
  if (answer === undefined) terminal.output.write('\n');
  if (answer?.trim().toLowerCase() !== 'yes') throw new Failure('declined', 'Nothing was changed.');
}

/** Undefined when the input ends first (Ctrl-D). */
function readLine({ input }: Terminal): Promise<string | undefined> {
  return new Promise((resolve) => {
    // Without terminal handling of its own, so that Ctrl-C ends the program as usual.
    const lines = createInterface({ input, terminal: false });
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => resolve(undefined));
  });
}
