import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

const RETRYABLE_CODES = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

const RETRYABLE_NAMES = new Set(['TransactionConflictException', 'TransactionInProgressException']);

/** Somebody else held the item for a moment. The SDK does not retry these, and AWS sends no item along. */
export function isConflict(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) {
    const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code ?? 'None');
    return codes.some((code) => RETRYABLE_CODES.has(code)) && !codes.includes('ConditionalCheckFailed');
  }
  return error instanceof Error && RETRYABLE_NAMES.has(error.name);
}

const THROTTLING_NAMES = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
]);

/** DynamoDB had no room for the call and did nothing. The SDK has tried three times by then. */
export function isThrottled(error: unknown): boolean {
  return error instanceof Error && THROTTLING_NAMES.has(error.name);
}
