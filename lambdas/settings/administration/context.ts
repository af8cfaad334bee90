import type { StoreContext } from '../../aws/dynamodb.ts';
import { nameFault } from '../../submission/display-name.ts';

/** `invalid` is wrong whatever is stored; `conflict` is refused because of what is stored. */
export type AdministrationProblem = 'not_found' | 'invalid' | 'conflict';

/** The request cannot be carried out. The message says why and is shown to the caller. */
export class AdministrationError extends Error {
  readonly code: AdministrationProblem;

  constructor(code: AdministrationProblem, message: string) {
    super(message);
    this.name = 'AdministrationError';
    this.code = code;
  }
}

/** Workspace items must stay under 1 KB, so names are short. */
export function requireName(name: string, of: string): string {
  const trimmed = name.trim();
  const fault = nameFault(trimmed);
  if (fault !== undefined) throw new AdministrationError('invalid', `The name of ${of} ${fault}.`);
  return trimmed;
}

export interface AdministrationContext
  extends StoreContext<'workspaces' | 'forms' | 'formSecrets' | 'tokens'> {
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
}
