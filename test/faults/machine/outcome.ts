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
