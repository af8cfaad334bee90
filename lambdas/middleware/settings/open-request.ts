import type { Step } from './owner-request.ts';

interface Options {
  readonly now: () => number;
  readonly deadlineMilliseconds: number;
}

/** Starts the request's clock and deadline. */
export function openRequest({ now, deadlineMilliseconds }: Options): Step {
  return {
    before: function openRequestBefore({ event }) {
      event.receivedAtMilliseconds = now();
      event.signal = AbortSignal.timeout(deadlineMilliseconds);
    },
  };
}
