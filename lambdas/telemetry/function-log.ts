import { metricsEnvelope } from './metrics-envelope.ts';
import { toStdout, type WriteLine } from './write-line.ts';

/** What a function that works in the background says: a code and counts, never what a lead holds. */
export interface FunctionLog {
  write(code: string, counts: Readonly<Record<string, number>>): void;
}

/** Each line is at the same time an EMF document: every count is a metric of that name. */
export function makeFunctionLog(now: () => number, write: WriteLine = toStdout): FunctionLog {
  return {
    write(code, counts) {
      const _aws = metricsEnvelope(now(), { names: Object.keys(counts), dimensions: [] });
      write(JSON.stringify({ level: 'INFO', code, ...counts, _aws }));
    },
  };
}
