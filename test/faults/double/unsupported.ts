/**
 * The double was asked for something that it does not do. Never answered as DynamoDB would answer a mistake, since the
 * code under test swallows errors: the schedule itself fails.
 */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';

  constructor(what: string) {
    super(`The double does not support ${what}`);
  }
}
