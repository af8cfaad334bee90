const FIRST_MILLISECONDS = 200;
const LONGEST_MILLISECONDS = 5_000;

/** How long to wait before the next attempt, after so many that have failed. */
export function backoffMilliseconds(failures: number): number {
  return Math.min(LONGEST_MILLISECONDS, FIRST_MILLISECONDS * 2 ** (failures - 1));
}
