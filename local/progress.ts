import type { WriteStream } from 'node:tty';

/** Tells what is being done, and how long each step took. */
export interface Progress {
  step<Result>(doing: string, done: string, work: Promise<Result>): Promise<Result>;
  /** Removes what is shown of unfinished steps, so that other lines can follow. */
  clear(): void;
}

const ERASE_LINE = '\r\u001b[K';

/** One line a finished step; on a terminal also one line, rewritten in place, of what is under way. */
export function makeProgress(output: Pick<WriteStream, 'write' | 'isTTY'>): Progress {
  const underWay = new Set<string>();
  let ended = false;

  function show(line?: string): void {
    if (ended) return;
    const finished = line === undefined ? '' : `${line}\n`;
    if (!output.isTTY) {
      if (finished !== '') output.write(finished);
      return;
    }
    const pending = underWay.size === 0 ? '' : `  … ${[...underWay].join(', ')}`;
    output.write(`${ERASE_LINE}${finished}${pending}`);
  }

  return {
    async step(doing, done, work) {
      const startedAt = performance.now();
      underWay.add(doing);
      show();
      try {
        const result = await work;
        underWay.delete(doing);
        show(`  ✓ ${done} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
        return result;
      } finally {
        underWay.delete(doing);
      }
    },
    clear() {
      if (!ended && output.isTTY) output.write(ERASE_LINE);
      ended = true;
    },
  };
}
