import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { warningText } from '../../local/function-log.ts';

const LOOK_EVERY_MILLISECONDS = 500;
const MOST_LINES = 200;

/** A line that must not be there. */
export interface ErrorLine {
  readonly file: string;
  readonly line: string;
}

/** Reads the functions' logs as they grow, and keeps nothing but what is wrong in them. */
export function watchLogs(folder: string, onError: (error: ErrorLine) => void) {
  const positions = new Map<string, { at: number; rest: string }>();
  let found = 0;
  let lines = 0;

  async function look(): Promise<void> {
    // A stack that has ended takes its logs with it: that it has ended is told elsewhere.
    const names = await readdir(folder).catch(() => []);
    for (const name of names) if (name.endsWith('.log')) await readOn(name);
  }

  async function readOn(name: string): Promise<void> {
    const position = positions.get(name) ?? { at: 0, rest: '' };
    positions.set(name, position);
    const file = await open(join(folder, name)).catch(() => undefined);
    if (file === undefined) return;
    try {
      for (;;) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(1 << 20), 0, 1 << 20, position.at);
        if (bytesRead === 0) return;
        position.at += bytesRead;
        const parts = `${position.rest}${buffer.toString('latin1', 0, bytesRead)}`.split('\n');
        position.rest = parts.pop() ?? '';
        for (const line of parts) judge(name, line);
      }
    } finally {
      await file.close();
    }
  }

  function judge(file: string, line: string): void {
    lines += 1;
    if (!isError(line)) return;
    found += 1;
    if (found <= MOST_LINES) onError({ file, line });
  }

  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, LOOK_EVERY_MILLISECONDS);
  return {
    errors: () => found,
    lines: () => lines,
    async close(): Promise<void> {
      clearInterval(timer);
      await looking;
      await look();
    },
  };
}

/** At error level, or of a submission that ended in a defect. */
export function isError(line: string): boolean {
  if (line.includes('"reason":"internal_error"')) return true;
  const alarming = warningText(line);
  return alarming !== undefined && !alarming.startsWith('WARN');
}
