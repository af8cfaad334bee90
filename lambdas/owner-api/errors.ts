import { nameFault } from '../model/display-name.ts';

export type RequestProblem = 'invalid_cursor' | 'invalid_range' | 'invalid_columns';

/** The request is wrong, whatever is stored. The message is shown to the caller. */
export class InvalidRequest extends Error {
  readonly code: RequestProblem;

  constructor(code: RequestProblem, message: string) {
    super(message);
    this.name = 'InvalidRequest';
    this.code = code;
  }
}

/** Does not say what is wrong: clients cannot fix a cursor. */
export class InvalidCursor extends InvalidRequest {
  constructor() {
    super('invalid_cursor', 'The cursor does not belong to this request. Start again without one.');
    this.name = 'InvalidCursor';
  }
}

export class InvalidRange extends InvalidRequest {
  constructor(message: string) {
    super('invalid_range', message);
    this.name = 'InvalidRange';
  }
}

/**
 * `invalid` is wrong whatever is stored; `conflict` is refused because of what is stored or configured; `limit_reached`
 * is possible again later.
 */
export type AdministrationProblem = 'not_found' | 'invalid' | 'conflict' | 'limit_reached';

/** The request cannot be carried out. The message says why and is shown to the caller. */
export class AdministrationError extends Error {
  readonly code: AdministrationProblem;

  constructor(code: AdministrationProblem, message: string) {
    super(message);
    this.name = 'AdministrationError';
    this.code = code;
  }
}

/** One value is wrong. `problem` is a predicate for `field`: "must begin with https://". */
export class InvalidField extends AdministrationError {
  readonly field: string;
  readonly problem: string;

  constructor(field: string, problem: string) {
    super('invalid', `The field "${field}" ${problem}.`);
    this.name = 'InvalidField';
    this.field = field;
    this.problem = problem;
  }
}

/** Workspace items must stay under 1 KB, so names are short. */
export function requireName(name: string, of: string): string {
  const trimmed = name.trim();
  const fault = nameFault(trimmed);
  if (fault !== undefined) throw new AdministrationError('invalid', `The name of ${of} ${fault}.`);
  return trimmed;
}
