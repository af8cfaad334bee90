import { UsageFailure } from './failure.ts';

/** Reads a whole number within bounds; everything that lists or repeats has one. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      throw new UsageFailure(
        `It takes a whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}.`,
      );
    }
    return value;
  };
}
