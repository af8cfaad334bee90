import { Failure } from './failure.ts';
import type { Output } from './print.ts';

/** As shells have it: 128 and the number of SIGINT. */
const INTERRUPTED_STATUS = 130;

export interface Interruption {
  /** Listens from the first call on: what is short, or asks a question, is simply ended by Ctrl-C. */
  readonly signal: () => AbortSignal;
  /** The failure to report in place of the errors that aborting brought about. */
  readonly failure: () => Failure | undefined;
  /** `leadctl … | head` has seen enough, which is no error of ours. */
  readonly readerIsGone: () => boolean;
  readonly close: () => void;
}

/** Ctrl-C, and a reader of our output that goes away, as a signal: work can stop between two steps, and say where. */
export function makeInterruption(stdout: Output): Interruption {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let listening = false;
  let gone = false;
  const readerGoes = () => {
    gone = true;
    abort();
  };
  return {
    signal() {
      if (!listening) {
        listening = true;
        // Once: the second Ctrl-C ends the program, whatever it is waiting for.
        for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, abort);
        stdout.once('error', readerGoes);
      }
      return controller.signal;
    },
    failure() {
      if (!controller.signal.aborted) return undefined;
      return new Failure('interrupted', 'Interrupted: run it again.', INTERRUPTED_STATUS);
    },
    readerIsGone: () => gone,
    close() {
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, abort);
      stdout.off('error', readerGoes);
    },
  };
}

export function interrupted(message: string): Failure {
  return new Failure('interrupted', message, INTERRUPTED_STATUS);
}
