import { Failure } from './failure.ts';
import type { Output } from './print.ts';

/** As in shells: 128 plus the number of SIGINT. */
const INTERRUPTED_STATUS = 130;

export interface Interruption {
  /** Listens from the first call on. Before it, Ctrl-C ends the program, which suits short commands and questions. */
  readonly signal: () => AbortSignal;
  /** The failure to report instead of the errors that aborting caused. */
  readonly failure: () => Failure | undefined;
  /** Standard output can no longer be written to, as after `leadctl … | head`. */
  readonly readerIsGone: () => boolean;
  readonly close: () => void;
}

/** Turns Ctrl-C and a closed output into a signal, so that work can stop between two steps and report where. */
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
        // Once: the second Ctrl-C ends the program at once.
        for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, abort);
        stdout.once('error', readerGoes);
      }
      return controller.signal;
    },
    failure() {
      if (!controller.signal.aborted) return undefined;
      return new Failure('interrupted', 'Interrupted. Run the command again.', INTERRUPTED_STATUS);
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
