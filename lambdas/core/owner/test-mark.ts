import type { Scalar } from './top-level-scalars.ts';

/** The top-level key by which a submission that an owner had sent from the settings area is known, with `true`. */
export const TEST_MARK = '_test';

export function isTest(scalars: ReadonlyMap<string, Scalar>): boolean {
  return scalars.get(TEST_MARK)?.source === 'true';
}
