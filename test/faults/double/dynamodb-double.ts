import { batchGet, getItem, query, scan } from './reads.ts';
import { TABLE_DEFINITIONS, Table } from './table.ts';
import { type Item, ServiceError, Unsupported } from './wire-format.ts';
import { batchWrite, deleteItem, putItem, transactWrite, updateItem } from './writes.ts';

export type Input = Readonly<Record<string, unknown>>;

export interface Reply {
  readonly statusCode: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A change of an item, for the table's stream. */
export interface Change {
  readonly table: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** A call that saw the latest state, and its response. */
export interface ExecutedCall {
  readonly operation: string;
  readonly input: Input;
  readonly reply: Reply;
}

/** The state of the double. */
export interface Store {
  table(name: unknown): Table;
  write(tableName: unknown, address: string, item: Item | undefined): void;
  /** Transactions by their client request token, which DynamoDB remembers for ten minutes. */
  readonly transactionTokens: Map<string, string>;
}

interface Moment {
  /** Whether eventually consistent reads return each item as it was before its latest write. */
  readonly lagging?: boolean;
}

type Operation = (store: Store, input: Input, lagging: boolean) => Readonly<Record<string, unknown>>;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  GetItem: getItem,
  BatchGetItem: batchGet,
  Query: query,
  Scan: scan,
  PutItem: putItem,
  UpdateItem: updateItem,
  DeleteItem: deleteItem,
  BatchWriteItem: batchWrite,
  TransactWriteItems: transactWrite,
};

/**
 * An in-process DynamoDB with the features that the service uses, at the level of its JSON protocol. Each operation is
 * atomic and immediate; the network decides on time, order and response.
 */
export class DynamoDbDouble implements Store {
  readonly #tables = new Map<string, Table>();
  readonly transactionTokens = new Map<string, string>();
  onChange: (change: Change) => void = () => undefined;
  onExecuted: (call: ExecutedCall) => void = () => undefined;

  /** Tables are named by their nouns. */
  constructor() {
    for (const [name, definition] of Object.entries(TABLE_DEFINITIONS))
      this.#tables.set(name, new Table(definition));
  }

  execute(operation: string, input: Input, { lagging = false }: Moment = {}): Reply {
    const work = OPERATIONS[operation];
    if (!work) throw new Unsupported(`the operation ${operation}`);
    const reply = this.#reply(() => work(this, input, lagging));
    if (!lagging) this.onExecuted({ operation, input, reply });
    return reply;
  }

  #reply(work: () => Reply['body']): Reply {
    try {
      return { statusCode: 200, body: work() };
    } catch (error) {
      if (error instanceof ServiceError) return replyOf(error);
      throw error;
    }
  }

  table(name: unknown): Table {
    const table = this.#tables.get(String(name));
    if (!table) throw new Unsupported(`the table ${name}`);
    return table;
  }

  write(tableName: unknown, address: string, item: Item | undefined): void {
    const table = this.table(tableName);
    const before = table.get(address);
    table.set(address, item);
    this.onChange({ table: String(tableName), before, after: item });
  }

  get tableNames(): string[] {
    return [...this.#tables.keys()];
  }

  snapshot(): ReadonlyMap<string, ReadonlyMap<string, Item>> {
    return new Map([...this.#tables].map(([name, table]) => [name, table.snapshot()]));
  }

  restore(snapshot: ReadonlyMap<string, ReadonlyMap<string, Item>>): void {
    for (const [name, items] of snapshot) this.table(name).restore(items);
    this.transactionTokens.clear();
  }
}

export function replyOf({ type, message, members, statusCode }: ServiceError): Reply {
  const __type = `com.amazonaws.dynamodb.v20120810#${type}`;
  return { statusCode, body: { __type, message, Message: message, ...members } };
}
