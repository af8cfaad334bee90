import testSequencer from '@jest/test-sequencer';

// A CommonJS package seen from a module.
const Sequencer = testSequencer.default ?? testSequencer;

/** The fault harness uses every core by itself: beside others it would take three times as long, and slow them too. */
const ALONE = /test\/faults\/interleavings\.test\.ts$/;

/** In Jest's own order, the slowest first, but for what wants the machine to itself. */
export default class TheMachineToItselfLast extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [
      ...sorted.filter(({ path }) => !ALONE.test(path)),
      ...sorted.filter(({ path }) => ALONE.test(path)),
    ];
  }
}
