import testSequencer from '@jest/test-sequencer';
import { TIERS } from './tiers.js';

// A CommonJS package seen from a module.
const Sequencer = testSequencer.default ?? testSequencer;

/** Uses every core by itself: next to other files it would take three times as long, and slow them down too. */
const ALONE = /test\/faults\/interleavings\.full\.test\.ts$/;

/**
 * Take minutes, in this order. A new clone does not know that, and would end with one of them alone. The last one waits
 * for another run of the suite, the first one.
 */
const LONG = [
  /test\/conformance\/conformance/,
  /test\/(client\/outage|faults\/defects|iam\/(grants|small)|rehearsal\/|released\/upgrade|training\/train)/,
  // They mostly wait.
  /test\/(lambdas\/leads\/learning\/on-the-stack|sending\/retries)/,
  /test\/browser\/accessibility/,
  /test\/conformance\/wrong-deployment/,
];

/** Fast tiers first; within a tier those known to be long, then Jest's own order, the slowest first. */
export default class TierSequencer extends Sequencer {
  sort(tests) {
    const rank = ({ path, context }) =>
      ALONE.test(path) ? TIERS.length : TIERS.indexOf(context.config.displayName?.name);
    const place = ({ path }) => {
      const found = LONG.findIndex((each) => each.test(path));
      return found < 0 ? LONG.length : found;
    };
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other) || place(one) - place(other));
  }
}
