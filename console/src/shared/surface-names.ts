import type { Surface } from '../api/types.ts';

/** How a submission was sent, in an owner's words. */
export const SURFACE_NAMES: Readonly<Record<Surface, string>> = {
  '1a': 'Server token',
  '1b': 'Webhook',
  '2': 'Browser',
};

export function surfaceName(surface: string): string {
  return Object.hasOwn(SURFACE_NAMES, surface) ? SURFACE_NAMES[surface as Surface] : surface;
}
