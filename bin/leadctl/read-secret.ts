import { UsageFailure } from './failure.ts';
import type { Input } from './terminal.ts';

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
