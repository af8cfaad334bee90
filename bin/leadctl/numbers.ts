import { InvalidArgumentError } from 'commander';

/**
 * Reads a whole number within bounds; everything that lists or repeats has one. Commander knows the option, and puts
 * it before the sentence together with what was given.
 */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      throw new InvalidArgumentError(
        `It takes a whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}.`,
      );
    }
    return value;
  };
}
