import type { Readable } from 'node:stream';

/** What the program reads and writes: `process` is one. Nothing else here touches streams or variables of the process. */
export interface Terminal {
  readonly stdin: Input;
  /** For the answer alone. */
  readonly stdout: Output;
  /** For questions, progress and failures. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type Input = Readable & { readonly isTTY?: boolean };

export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
