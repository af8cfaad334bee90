import { createInterface } from 'node:readline';
import { Failure, UsageFailure } from './failure.ts';
import { printable } from './print.ts';
import type { Input, Terminal } from './terminal.ts';

/** Returns only if the operator agrees to `deed`, by --yes or by typing yes. */
export async function confirm(
  deed: string,
  { yes }: { yes?: boolean },
  { stdin, stderr }: Pick<Terminal, 'stdin' | 'stderr'>,
): Promise<void> {
  if (yes) return;
  if (!stdin.isTTY) {
    throw new UsageFailure(`There is no terminal to ask at: add --yes to ${deed}.`);
  }
  stderr.write(`Type yes to ${printable(deed)}: `);
  const answer = await readLine(stdin);
  if (answer === undefined) stderr.write('\n');
  if (answer?.trim().toLowerCase() !== 'yes') throw new Failure('declined', 'Nothing was changed.');
}

/** Undefined when the input ends first (Ctrl-D). */
function readLine(input: Input): Promise<string | undefined> {
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
