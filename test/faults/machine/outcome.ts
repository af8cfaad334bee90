import type { SeededRandom } from '../../random.ts';
import { type Input, type Reply, replyOf } from '../double/dynamodb-double.ts';
import { ServiceError, transactionCanceled } from '../double/wire-format.ts';
import type { Service } from './network.ts';

/** The possible outcomes of one attempt of one call. */
export type Outcome =
  | 'ok'
  /** An eventually consistent read that returns the previous version. */
  | 'lagging'
  /** Executed, but the connection breaks before the response. */
  | 'lost'
  /** The connection breaks before the request arrives. */
  | 'reset'
  | 'throttled'
  /** InternalServerError, not executed. */
  | 'failed'
  /** InternalServerError, but executed. */
  | 'failed-done'
  /** No response, never executed. */
  | 'hung'
  /** No response, but executed at once. */
  | 'hung-done'
  /** No response, and executed after the caller has given up. */
  | 'late'
  /** TransactionConflict, as AWS reports it: without an item. */
  | 'conflict'
  /** TransactionInProgressException. */
  | 'in-progress'
  /** BatchGetItem returns 200 without some items; BatchWriteItem and SQS accept only some entries. */
  | 'partial'
  /** The environment dies before the request arrives. */
  | 'dies'
  /** The environment dies before the response arrives. */
  | 'dies-done';

export interface CallKind {
  readonly operation: string;
  readonly table: string;
  readonly consistent: boolean;
}

const READS = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan']);
const BATCHES = new Set(['BatchGetItem', 'BatchWriteItem', 'SendMessageBatch']);

const ALWAYS: readonly Outcome[] = ['reset', 'throttled', 'failed', 'hung', 'dies'];
const OF_WRITES: readonly Outcome[] = ['lost', 'lost', 'failed-done', 'hung-done', 'late', 'dies-done'];

/** The faults that this call can have on AWS. */
export function possibleFaults({ operation, table }: CallKind): Outcome[] {
  const possible = [...ALWAYS];
  if (!READS.has(operation)) possible.push(...OF_WRITES);
  if (operation === 'TransactWriteItems') possible.push('conflict', 'conflict', 'conflict', 'in-progress');
  // A single write conflicts only with a transaction on the same item, and nobody else knows a new lead's id.
  if (operation === 'UpdateItem' && table === 'idempotency') possible.push('conflict', 'conflict');
  if (BATCHES.has(operation)) possible.push('partial', 'partial');
  return possible;
}

/** How many faults one schedule gets. */
export interface FaultProfile {
  readonly name: string;
  readonly faultRate: number;
  readonly mostFaults: number;
  /** The faults that a call can have; by default, all that are possible on AWS. */
  readonly faultsOf?: (kind: CallKind) => Outcome[];
}

/** Often no fault or one: then the invariants are strictest, and most schedules differ only by order. */
export const FAULT_PROFILES: readonly FaultProfile[] = [
  { name: 'none', faultRate: 0, mostFaults: 0 },
  { name: 'one fault', faultRate: 0.1, mostFaults: 1 },
  { name: 'some', faultRate: 0.12, mostFaults: 4 },
  { name: 'many', faultRate: 0.35, mostFaults: 12 },
];

export const isGateWrite = ({ operation, table }: Pick<CallKind, 'operation' | 'table'>) =>
  operation === 'UpdateItem' && table === 'workspaces';

/** One workspace gets more traffic than its item can take: its counter is throttled often, and nothing else fails. */
export const HOT_GATE: FaultProfile = {
  name: 'hot gate',
  faultRate: 0.6,
  mostFaults: 40,
  faultsOf: (kind) => (isGateWrite(kind) ? ['throttled'] : []),
};

type Failure = 'throttled' | 'failed' | 'conflict' | 'in-progress';

/** Errors that AWS returns and DynamoDB Local never does. */
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
  // The position in the list shows which item conflicted; its content isn't returned.
  const at = random.below(TransactItems.length);
  const Code = random.chance(0.15) ? 'ThrottlingError' : 'TransactionConflict';
  return transactionCanceled(TransactItems.map((_, index) => ({ Code: index === at ? Code : 'None' })));
}

/** A partial success, like a batch of which some entries were throttled. */
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
  // Reads at least one table, as below.
  if (left.length === all.length) left.pop();
  const rest = all.filter((entry) => !left.includes(entry));
  const { statusCode, body } = service.execute('BatchGetItem', { RequestItems: Object.fromEntries(rest) });
  return { statusCode, body: { ...body, UnprocessedKeys: Object.fromEntries(left) } };
}

/** Executes at least one write: on AWS, a batch without any is an error. */
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
