import type { StoreContext } from '../tables.ts';

export interface AdministrationContext
  extends StoreContext<'workspaces' | 'forms' | 'formSecrets' | 'tokens'> {
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
}
