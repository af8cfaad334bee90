/** `invalid` is wrong whatever is stored; `conflict` is refused because of what is stored or configured. */
export type DestinationProblem = 'not_found' | 'invalid' | 'conflict';

/** The request cannot be carried out. The message is shown to the caller. */
export class DestinationError extends Error {
  readonly code: DestinationProblem;

  constructor(code: DestinationProblem, message: string) {
    super(message);
    this.name = 'DestinationError';
    this.code = code;
  }
}

/** One value is wrong. `problem` is a predicate for `field`: "must begin with https://". */
export class InvalidDestination extends DestinationError {
  readonly field: string;
  readonly problem: string;

  constructor(field: string, problem: string) {
    super('invalid', `The field "${field}" ${problem}.`);
    this.name = 'InvalidDestination';
    this.field = field;
    this.problem = problem;
  }
}
