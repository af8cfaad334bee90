import { type Input, type Reply, replyOf } from '../double/dynamodb-double.ts';
import { ServiceError, transactionCanceled } from '../double/request-members.ts';
import type { Service } from './network.ts';
import type { SeededRandom } from './scheduler.ts';

/** What can become of one attempt of one call. */
export type Outcome =
  | 'ok'
  /** A read that did not ask for consistency, and sees what was there before. */
  | 'lagging'
  /** Carried out; the connection breaks before the answer. */
  | 'lost'
  /** The connection breaks before the request has arrived. */
  | 'reset'
  | 'throttled'
  /** InternalServerError, with nothing done. */
  | 'failed'
  /** InternalServerError, and done all the same. */
  | 'failed-done'
  /** No answer ever; never carried out. */
  | 'hung'
  /** No answer ever, though carried out at once. */
  | 'hung-done'
  /** No answer ever; carried out some time after the caller has given up. */
  | 'late'
  /** TransactionConflict, as AWS tells it: without an item. */
  | 'conflict'
  /** TransactionInProgressException. */
  | 'in-progress'
  /** BatchGetItem answers 200 without some of the items; BatchWriteItem and SQS take some of what they were sent. */
  | 'partial'
  /** The environment dies before the request has arrived. */
  | 'dies'
  /** The environment dies before the answer has arrived. */
  | 'dies-done';

export interface CallKind {
  readonly operation: string;
  readonly table: string;
  readonly consistent: boolean;
}

const READS = new Set(['GetItem', 'BatchGetItem', 'Query']);
const BATCHES = new Set(['BatchGetItem', 'BatchWriteItem', 'SendMessageBatch']);

const ALWAYS: readonly Outcome[] = ['reset', 'throttled', 'failed', 'hung', 'dies'];
const OF_WRITES: readonly Outcome[] = ['lost', 'lost', 'failed-done', 'hung-done', 'late', 'dies-done'];

/** The faults that this call can meet on AWS. */
export function possibleFaults({ operation, table }: CallKind): Outcome[] {
  const possible = [...ALWAYS];
  if (!READS.has(operation)) possible.push(...OF_WRITES);
  if (operation === 'TransactWriteItems') possible.push('conflict', 'conflict', 'conflict', 'in-progress');
  // A single write conflicts only with a transaction on the same item, and a new lead's id is known to nobody.
  if (operation === 'UpdateItem' && table === 'idempotency') possible.push('conflict', 'conflict');
  if (BATCHES.has(operation)) possible.push('partial', 'partial');
  return possible;
}

/** How much goes wrong in one schedule. */
export interface Weather {
  readonly name: string;
  readonly faultRate: number;
  readonly mostFaults: number;
  /** The faults that a call can meet in this weather; all that it can meet on AWS, unless said otherwise. */
  readonly faultsOf?: (kind: CallKind) => Outcome[];
}

/** Often nothing or one thing: then the promises are at their strictest, and most schedules differ by order alone. */
export const WEATHERS: readonly Weather[] = [
  { name: 'calm', faultRate: 0, mostFaults: 0 },
  { name: 'one fault', faultRate: 0.1, mostFaults: 1 },
  { name: 'rough', faultRate: 0.12, mostFaults: 4 },
  { name: 'storm', faultRate: 0.35, mostFaults: 12 },
];

export const isGateWrite = ({ operation, table }: Pick<CallKind, 'operation' | 'table'>) =>
  operation === 'UpdateItem' && table === 'workspaces';

/** One workspace gets more than its item can take: its counter is throttled again and again, and nothing else fails. */
export const HOT_GATE: Weather = {
  name: 'hot gate',
  faultRate: 0.6,
  mostFaults: 40,
  faultsOf: (kind) => (isGateWrite(kind) ? ['throttled'] : []),
};

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

/** A success that leaves something out, as a batch of which a part was throttled. */
export function partialReply(
  service: Service,
  operation: string,
  input: Input,
  random: SeededRandom,
): Reply | undefined {
  if (operation === 'BatchGetItem') return someTables(service, input, random);
  return operation === 'BatchWriteItem'
    ? someWrites(service, input, random)
    : someMessages(service, input, random);
}

function someTables(service: Service, { RequestItems }: Input, random: SeededRandom): Reply {
  const all = Object.entries(RequestItems as Record<string, unknown>);
  const left = all.filter(() => random.chance(0.6));
  const rest = all.filter((entry) => !left.includes(entry));
  const { statusCode, body } = service.execute('BatchGetItem', { RequestItems: Object.fromEntries(rest) });
  return { statusCode, body: { ...body, UnprocessedKeys: Object.fromEntries(left) } };
}

/** At least one is done: a batch of which nothing was done is an error on AWS. */
function someWrites(service: Service, { RequestItems }: Input, random: SeededRandom): Reply {
  const all = Object.entries(RequestItems as Record<string, unknown[]>).flatMap(([table, requests]) =>
    requests.map((request) => ({ table, request })),
  );
  const kept = random.below(all.length);
  const left = all.filter((_, at) => at !== kept && random.chance(0.6));
  const byTable = (writes: typeof all) =>
    Object.fromEntries(
      Object.entries(Object.groupBy(writes, ({ table }) => table)).map(([table, ofTable = []]) => [
        ...[table, ofTable.map(({ request }) => request)],
      ]),
    );
  const done = all.filter((write) => !left.includes(write));
  const { statusCode, body } = service.execute('BatchWriteItem', { RequestItems: byTable(done) });
  return { statusCode, body: { ...body, UnprocessedItems: byTable(left) } };
}

function someMessages(service: Service, input: Input, random: SeededRandom): Reply {
  const entries = input.Entries as { Id: string }[];
  const refused = entries.filter(() => random.chance(0.6));
  const taken = entries.filter((entry) => !refused.includes(entry));
  const { statusCode, body } = service.execute('SendMessageBatch', { ...input, Entries: taken });
  const Failed = refused.map(({ Id }) => ({ Id, Code: 'ServiceUnavailable', SenderFault: false }));
  return { statusCode, body: { ...body, Failed } };
}
