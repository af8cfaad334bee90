import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { UsageFailure } from './failure.ts';
import type { Input } from './terminal.ts';

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
