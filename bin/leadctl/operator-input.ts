import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { Failure, UsageFailure } from './failure.ts';
import { type Input, printable, type Terminal } from './print.ts';

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

/** The bytes of a file as they are, or of standard input for `-`. */
export async function readBytes(file: string, stdin: Input): Promise<Buffer> {
  if (file === '-') {
    if (stdin.isTTY) throw new UsageFailure('- is standard input, and there is nothing on it.');
    return buffer(stdin);
  }
  try {
    return await readFile(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new UsageFailure(
      code === 'ENOENT' ? `The file ${file} does not exist.` : `The file ${file} cannot be read (${code}).`,
    );
  }
}

const MORE_THAN_ANY_SECRET = 10_000;

/** Reads one's own secret, which is never an argument: the shell's history and `ps` would show it. */
export async function readSecret(input: Input): Promise<string> {
  if (input.isTTY) {
    throw new UsageFailure('--stdin takes the secret from a file or a pipe, as in: … --stdin < secret.txt');
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MORE_THAN_ANY_SECRET) throw new UsageFailure('Standard input is too long to be a secret.');
  }
  const secret = decode(Buffer.concat(chunks)).replace(/\r?\n$/, '');
  if (secret === '') throw new UsageFailure('Standard input is empty: there is no secret to set.');
  if (/[\r\n]/.test(secret)) throw new UsageFailure('A secret is one line, and standard input has several.');
  return secret;
}

/** The secret signs as its UTF-8 text, so bytes that are none would sign as something else. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageFailure('The secret on standard input is not UTF-8 text.');
  }
}
