// @ts-check
/** A thread gives memory back when it has had no work for so long, */
const REST_MILLISECONDS = 1_000;
/** and a burst of it before: that takes up to 0.1 s, and code that it forgets is compiled again. */
const BURST_INVOCATIONS = 500;

/**
 * V8 keeps pages that it has emptied: after a burst of leads some 90 MB, in ten threads. Returns what to call after each
 * invocation. Does nothing without --expose-gc, which npm start has.
 * @param {number} longestBurst It does not wait for a rest after so many invocations.
 * @param {(() => void) | undefined} giveBack
 * @returns {() => void}
 */
export function makeRest(
  longestBurst,
  giveBack = globalThis.gc?.bind(undefined, { type: 'major', execution: 'sync', flavor: 'last-resort' }),
) {
  if (!giveBack) return () => undefined;
  let invocations = 0;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const rest = () => {
    if (invocations < BURST_INVOCATIONS) return;
    invocations = 0;
    giveBack();
  };
  return () => {
    invocations += 1;
    clearTimeout(timer);
    if (invocations < longestBurst) timer = setTimeout(rest, REST_MILLISECONDS).unref();
    else rest();
  };
}
