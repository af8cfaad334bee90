import testSequencer from '@jest/test-sequencer';
import { TIERS } from './tiers.js';

// A CommonJS package seen from a module.
const Sequencer = testSequencer.default ?? testSequencer;

/** Uses every core by itself: next to other files it would take three times as long, and slow them down too. */
const ALONE = /test\/faults\/interleavings\.test\.ts$/;

/** Fast tiers first; within a tier Jest's own order, the slowest first. */
export default class TierSequencer extends Sequencer {
  sort(tests) {
    const rank = ({ path, context }) =>
      ALONE.test(path) ? TIERS.length : TIERS.indexOf(context.config.displayName?.name);
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
  }
}
