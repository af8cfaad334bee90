import type { Role } from '#owner-api/principal.ts';

/** Catches typing mistakes; the invitation shows whether the address exists. */
export const isAddress = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

export const ROLE_NAMES: Readonly<Record<Role, string>> = { owner: 'Owner', viewer: 'Viewer' };

export const ROLE_OPTIONS: readonly { value: Role; label: string; description: string }[] = [
  {
    value: 'viewer',
    label: ROLE_NAMES.viewer,
    description: 'Sees leads, forms, diagnostics and activity, and can export leads. Changes nothing.',
  },
  {
    value: 'owner',
    label: ROLE_NAMES.owner,
    description: 'Changes everything in this workspace, and invites and removes people.',
  },
];
