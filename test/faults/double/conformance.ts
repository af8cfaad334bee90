import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { TableNames } from '#aws/tables.ts';

/** One of the two that must not differ: DynamoDB Local, or the double. */
export interface Engine {
  readonly client: DynamoDBDocumentClient;
  readonly tables: TableNames;
}

const COMMANDS = {
  get: GetCommand,
  batchGet: BatchGetCommand,
  query: QueryCommand,
  put: PutCommand,
  update: UpdateCommand,
  delete: DeleteCommand,
  batchWrite: BatchWriteCommand,
  transact: TransactWriteCommand,
};

/** One call, written down so that either engine can make it. */
export interface Call {
  readonly kind: keyof typeof COMMANDS;
  readonly input: (tables: TableNames) => Record<string, unknown>;
}

/** All that the code under test can learn from a call. */
export interface Outcome {
  readonly output?: unknown;
  readonly error?: string;
  readonly item?: unknown;
  readonly reasons?: unknown;
}

export async function outcomesOf(engine: Engine, calls: readonly Call[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const call of calls) outcomes.push(await outcomeOf(engine, call));
  return outcomes;
}

async function outcomeOf({ client, tables }: Engine, { kind, input }: Call): Promise<Outcome> {
  const Command = COMMANDS[kind] as unknown as typeof PutCommand;
  try {
    // DynamoDB Local tells the capacity of a delete that found nothing without having been asked.
    const sent = await client.send(new Command(input(tables) as never));
    const { $metadata: _, ConsumedCapacity: __, ...output } = sent;
    return { output: withTableNouns(output, tables) };
  } catch (error) {
    const { name, Item, CancellationReasons } = error as TransactionCanceledException & { Item?: unknown };
    return {
      error: name,
      ...(Item !== undefined && { item: Item }),
      // Without the messages: DynamoDB Local ends some of them with a full stop, and nobody reads them.
      ...(error instanceof TransactionCanceledException && {
        reasons: CancellationReasons?.map(({ Message: _, ...reason }) => reason),
      }),
    };
  }
}

/** Batches answer by table, and the engines' tables have different names. */
function withTableNouns(output: object, tables: TableNames): unknown {
  let text = JSON.stringify(output, (_, value: unknown) => (value === undefined ? null : value));
  for (const [noun, name] of Object.entries(tables))
    text = text.replaceAll(JSON.stringify(name), `"${noun}"`);
  return JSON.parse(text);
}
