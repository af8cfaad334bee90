import type { Item } from './attribute-value.ts';
import type { Input } from './dynamodb-double.ts';

/** An error as DynamoDB sends it. */
export class ServiceError extends Error {
  readonly type: string;
  readonly members: Readonly<Record<string, unknown>>;
  readonly statusCode: number;

  constructor(
    type: string,
    message: string,
    members: Readonly<Record<string, unknown>> = {},
    statusCode = 400,
  ) {
    super(message);
    this.type = type;
    this.members = members;
    this.statusCode = statusCode;
  }
}

export interface CancellationReason {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: Item;
}

export const invalid = (message: string) => new ServiceError('ValidationException', message);

export const CONDITION_FAILED = 'The conditional request failed';

export function conditionFailed(item: Item | undefined): ServiceError {
  return new ServiceError('ConditionalCheckFailedException', CONDITION_FAILED, item && { Item: item });
}

export function transactionCanceled(reasons: readonly CancellationReason[]): ServiceError {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new ServiceError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  );
}

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

/** An option that is overlooked would be a difference that nobody sees. */
export function requireMembers(input: Input, known: readonly string[]): void {
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown) throw new Unsupported(`the member ${unknown}`);
}

export const EXPRESSION_MEMBERS = ['ExpressionAttributeNames', 'ExpressionAttributeValues'] as const;
