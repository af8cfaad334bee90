import type { StoreContext } from '../aws/dynamodb.ts';

export interface AdministrationContext
  extends StoreContext<'workspaces' | 'forms' | 'formSecrets' | 'tokens'> {
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
}
