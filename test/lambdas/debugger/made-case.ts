import { createHash, createHmac } from 'node:crypto';
import type { Secrets } from '#debugger/attempts.ts';
import type { SignedInput } from '#debugger/judge-proof.ts';
import type { MistakeName } from '#debugger/mistakes.ts';

/** Made here by hand, as a sender's program would: nothing is taken from the code under test but its types. */

export const NOW = 1_800_000_000_000;
export const TIMESTAMP = '1800000000';
export const SECRET = 'whsec_9fJ2mQx7LrT0vYbN3kHc5ZpWsE8uAoDg1iRtXeKqVnM';
export const BODY = '{"name":"Zoë/Ana","company":"A&B","n":1.0,"tags":["x",{"b":2,"a":1}]}';

export interface Case {
  readonly title: string;
  readonly mistakes: readonly MistakeName[];
  readonly input: SignedInput;
  readonly secrets: Secrets;
}

export interface Made {
  readonly timestamp?: string;
  readonly body?: string | Buffer;
  /** What is signed in place of `{timestamp}.{body}`. */
  readonly message?: string | Buffer;
  readonly key?: string | Buffer;
  readonly algorithm?: string;
  readonly header?: (digest: Buffer, message: string | Buffer) => string;
  readonly secrets?: Secrets;
}

export function made(title: string, mistakes: MistakeName[], making: Made): Case {
  const { timestamp = TIMESTAMP, body = BODY, key = SECRET, algorithm = 'sha256' } = making;
  const { header = (digest: Buffer) => digest.toString('hex'), secrets = { current: SECRET } } = making;
  const bytes = Buffer.from(body as string);
  const message = making.message ?? Buffer.concat([Buffer.from(`${timestamp}.`), bytes]);
  const signature = header(createHmac(algorithm, key).update(message).digest(), message);
  return { title, mistakes, input: { timestamp, signature, body: bytes }, secrets };
}

export const dotted = (signed: string | Buffer) =>
  Buffer.concat([Buffer.from(`${TIMESTAMP}.`), Buffer.from(signed as string)]);

export const plainHash = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** As deep as it is read, and as wide as fits: the JSON that grows most when it is indented. */
export function nestedBody(byteLength: number): string {
  const depth = 99;
  const width = Math.floor((byteLength - 2 * depth + 1) / 3);
  return '['.repeat(depth) + Array<string>(width).fill('""').join(',') + ']'.repeat(depth);
}
