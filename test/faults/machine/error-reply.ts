import { type Input, type Reply, replyOf } from '../double/dynamodb-double.ts';
import { ServiceError, transactionCanceled } from '../double/service-error.ts';
import type { SeededRandom } from './seeded-random.ts';

type Failure = 'throttled' | 'failed' | 'conflict' | 'in-progress';

/** What AWS answers where DynamoDB Local never would. */
export function errorReply(failure: Failure, input: Input, random: SeededRandom): Reply {
  return replyOf(errorFor(failure, input, random));
}

function errorFor(failure: Failure, { TransactItems }: Input, random: SeededRandom): ServiceError {
  if (failure === 'throttled') {
    const name = random.pick(['ProvisionedThroughputExceededException', 'ThrottlingException']);
    return new ServiceError(name, 'The level of configured throughput was exceeded');
  }
  if (failure === 'failed') return new ServiceError('InternalServerError', 'Internal server error', {}, 500);
  if (failure === 'in-progress') {
    return new ServiceError('TransactionInProgressException', 'The transaction is in progress');
  }
  if (!Array.isArray(TransactItems)) {
    return new ServiceError('TransactionConflictException', 'Transaction is ongoing for the item');
  }
  // Which item it was is told by the place in the list, and what stands there is not told.
  const at = random.below(TransactItems.length);
  const Code = random.chance(0.15) ? 'ThrottlingError' : 'TransactionConflict';
  return transactionCanceled(TransactItems.map((_, index) => ({ Code: index === at ? Code : 'None' })));
}
