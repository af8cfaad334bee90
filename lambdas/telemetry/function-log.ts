import { toStdout, type WriteLine } from './write-line.ts';

/** What a function that works in the background says: a code and counts, never what a lead holds. */
export interface FunctionLog {
  write(code: string, counts: Readonly<Record<string, number>>): void;
}

export function makeFunctionLog(write: WriteLine = toStdout): FunctionLog {
  return { write: (code, counts) => write(JSON.stringify({ level: 'INFO', code, ...counts })) };
}
