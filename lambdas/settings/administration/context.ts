import type { StoreContext } from '../../aws/dynamodb.ts';

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

const LONGEST_NAME = 100;

/** Workspace items must stay under 1 KB, so names are short. */
export function requireName(name: string, of: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new AdministrationError('invalid', `The name of a ${of} cannot be empty.`);
  if ([...trimmed].length > LONGEST_NAME) {
    throw new AdministrationError(
      'invalid',
      `The name of a ${of} can have at most ${LONGEST_NAME} characters.`,
    );
  }
  return trimmed;
}

export interface AdministrationContext
  extends StoreContext<'workspaces' | 'forms' | 'formSecrets' | 'tokens'> {
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
}
