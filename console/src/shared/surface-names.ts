import type { Surface } from '../api/types.ts';

/** The two ways in, as an owner knows them. */
export const SURFACE_NAMES: Readonly<Record<Surface, string>> = {
  '1a': 'Server token (1a)',
  '1b': 'Signed webhook (1b)',
};
