import testSequencer from '@jest/test-sequencer';
import { TIERS } from './tiers.js';

// A CommonJS package seen from a module.
const Sequencer = testSequencer.default ?? testSequencer;

/** Uses every core by itself: next to other files it would take three times as long, and slow them down too. */
const ALONE = /test\/faults\/interleavings\.full\.test\.ts$/;

/** Take minutes, mostly to wait. A new clone does not know that, and would end with one of them alone. */
const LONG =
  /test\/(browser\/accessibility|conformance\/conformance|leadctl\/(erasure|operator-policies)|rehearsal\/)/;

/** Waits for another run of the suite, which is among the long ones. */
const LATE = /test\/conformance\/wrong-deployment\.full\.test\.ts$/;

/** Fast tiers first; within a tier those known to be long, then Jest's own order, the slowest first. */
export default class TierSequencer extends Sequencer {
  sort(tests) {
    const rank = ({ path, context }) =>
      ALONE.test(path) ? TIERS.length : TIERS.indexOf(context.config.displayName?.name);
    const place = ({ path }) => (LONG.test(path) ? 0 : LATE.test(path) ? 2 : 1);
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other) || place(one) - place(other));
  }
}
