import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { Failure, fileProblem, UsageFailure } from '../operator/failure.ts';
import { type Input, printable, type Terminal } from '../operator/terminal.ts';

/** Returns only if the operator confirms `action`, with --yes or by typing yes. */
export async function confirm(
  action: string,
  { yes }: { yes?: boolean },
  { stdin, stderr }: Pick<Terminal, 'stdin' | 'stderr'>,
): Promise<void> {
  if (yes) return;
  if (!stdin.isTTY) {
    throw new UsageFailure(`No terminal to confirm on. Add --yes to ${action}.`);
  }
  stderr.write(`Type yes to ${printable(action)}: `);
  const response = await readLine(stdin);
  if (response === undefined) stderr.write('\n');
  if (response?.trim().toLowerCase() !== 'yes')
    throw new Failure('declined', 'Canceled. Nothing was changed.');
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

/** The bytes of a file, or of standard input for `-`. */
export async function readBytes(file: string, stdin: Input): Promise<Buffer> {
  if (file === '-') {
    if (stdin.isTTY)
      throw new UsageFailure('Standard input is a terminal. Pipe the body in, or pass a file.');
    return buffer(stdin);
  }
  try {
    return await readFile(file);
  } catch (error) {
    throw new UsageFailure(`Cannot read ${file}: ${fileProblem(error)}.`);
  }
}

const MORE_THAN_ANY_SECRET = 10_000;

/** Reads a secret from standard input. It is never an argument: the shell history and `ps` would show it. */
export async function readSecret(input: Input): Promise<string> {
  if (input.isTTY) {
    throw new UsageFailure('Pass the secret on standard input from a file or a pipe: … --stdin < secret.txt');
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MORE_THAN_ANY_SECRET) throw new UsageFailure('Standard input is too long for a secret.');
  }
  const secret = decode(Buffer.concat(chunks)).replace(/\r?\n$/, '');
  if (secret === '') throw new UsageFailure('Standard input is empty. Pass a secret.');
  if (/[\r\n]/.test(secret))
    throw new UsageFailure('Standard input has several lines. A secret is one line.');
  return secret;
}

/** The secret signs as UTF-8 text: other bytes would be replaced, and sign as something else. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageFailure('The secret on standard input is not UTF-8 text.');
  }
}
