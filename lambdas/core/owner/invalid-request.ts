export type RequestProblem = 'invalid_cursor' | 'invalid_range';

/** What was asked for cannot be answered, whatever is stored; the message is meant for whoever asked. */
export class InvalidRequest extends Error {
  readonly code: RequestProblem;

  constructor(code: RequestProblem, message: string) {
    super(message);
    this.name = 'InvalidRequest';
    this.code = code;
  }
}

/** Says nothing of what was wrong: a cursor is ours to read and nobody's to mend. */
export class InvalidCursor extends InvalidRequest {
  constructor() {
    super('invalid_cursor', 'The cursor does not belong to this request: begin again without one.');
    this.name = 'InvalidCursor';
  }
}

export class InvalidRange extends InvalidRequest {
  constructor(message: string) {
    super('invalid_range', message);
    this.name = 'InvalidRange';
  }
}
