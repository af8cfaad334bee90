/** An expected failure: its message is all that the operator sees, so it says what is wrong and what to do. */
export class Failure extends Error {
  readonly code: string;
  readonly exitCode: number;

  constructor(code: string, message: string, exitCode = 1) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.exitCode = exitCode;
  }
}

/** The command line, or a file that it names, is wrong: nothing was tried. */
export class UsageFailure extends Failure {
  constructor(message: string) {
    super('usage', message, 2);
    this.name = 'UsageFailure';
  }
}
