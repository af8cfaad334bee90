import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DeleteTableCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TableNames } from '../../lambdas/aws/dynamodb.ts';
import type { TableKey } from '../../lambdas/contract.ts';
import { localStack } from '../local-stack.ts';
import { type Call, get, MISTAKES, put, update } from './double/conformance.ts';
import { generatedCalls } from './double/conformance-generated.ts';
import { isComparable, replay, responseOf } from './double/conformance-replayed.ts';
import { DynamoDbDouble } from './double/dynamodb-double.ts';
import { TABLE_DEFINITIONS } from './double/table.ts';
import { Unsupported } from './double/wire-format.ts';
import { explore, type Findings } from './explore.ts';
import { tableOf } from './machine/timeline.ts';
import { SCENARIO_NAMES } from './scenarios/scenario.ts';

// Differences between DynamoDB Local and AWS that this suite can't check: DynamoDB Local has no transaction conflicts,
// never throttles, and its indexes never lag. The harness injects these itself.
const TABLE_KEYS = Object.keys(TABLE_DEFINITIONS) as TableKey[];
const stack = localStack();
const rawClient = stack.newClient();

const describeTable = async (tableKey: TableKey) =>
  (await rawClient.send(new DescribeTableCommand({ TableName: stack.tables[tableKey] }))).Table;

const definitions = new Map<TableKey, ReturnType<typeof describeTable>>();
const made = new Set<TableKey>();
let tables = newNames();

function newNames(): TableNames {
  const prefix = `faults-${randomUUID()}`;
  return Object.fromEntries(TABLE_KEYS.map((tableKey) => [tableKey, `${prefix}-${tableKey}`])) as TableNames;
}

/** Separate tables with the stack's keys, because the stack's functions act on every write to its own tables. */
async function makeTable(tableKey: TableKey): Promise<void> {
  const definition = definitions.get(tableKey) ?? describeTable(tableKey);
  definitions.set(tableKey, definition);
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes } = (await definition) ?? {};
  const indexes = GlobalSecondaryIndexes?.map(({ IndexName, KeySchema: keys, Projection }) => ({
    IndexName,
    KeySchema: keys,
    Projection,
  }));
  const same = { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes: indexes };
  const TableName = tables[tableKey];
  await rawClient.send(new CreateTableCommand({ TableName, BillingMode: 'PAY_PER_REQUEST', ...same }));
  made.add(tableKey);
}

/** Makes the tables that the call names first: most schedules use few of them. */
async function replayed(call: Call): Promise<unknown> {
  const named = tableOf(call.operation, call.input).split('+');
  for (const tableKey of TABLE_KEYS)
    if (named.includes(tableKey) && !made.has(tableKey)) await makeTable(tableKey);
  return replay(rawClient, tables, call);
}

async function removeTables(): Promise<void> {
  for (const tableKey of made) await rawClient.send(new DeleteTableCommand({ TableName: tables[tableKey] }));
  made.clear();
  tables = newNames();
}

afterEach(removeTables);
afterAll(() => rawClient.destroy());

/** Executes each call on both. */
async function compare(calls: readonly Call[], double = new DynamoDbDouble()): Promise<void> {
  for (const call of calls) {
    const reply = double.execute(call.operation, call.input);
    const local = await replayed(call);
    expect({ call, response: responseOf({ ...call, reply }) }).toEqual({ call, response: local });
  }
}

describe('the double and DynamoDB Local', () => {
  test('have the same tables, keys and indexes', async () => {
    for (const tableKey of TABLE_KEYS) {
      const table = await describeTable(tableKey);
      const keysOf = (schema: { AttributeName?: string | undefined }[] = []) =>
        schema.map(({ AttributeName }) => AttributeName);
      const indexes = (table?.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema, Projection }) => [
        IndexName,
        {
          keys: keysOf(KeySchema),
          projects: Projection?.ProjectionType === 'ALL' ? 'all' : (Projection?.NonKeyAttributes ?? []),
        },
      ]);
      expect({ tableKey, keys: keysOf(table?.KeySchema), indexes: Object.fromEntries(indexes) }).toEqual({
        tableKey,
        ...TABLE_DEFINITIONS[tableKey],
      });
    }
  });

  // With what the stores really send, in the states that faults lead to.
  const seeds = 2;
  let explored: Findings;
  beforeAll(async () => {
    explored = await explore({ scenarios: SCENARIO_NAMES, seeds, threads: 1, keep: { calls: true } });
  });

  test.each(SCENARIO_NAMES)('give the same response to every call of schedules of %s', async (name) => {
    const results = explored.results.filter(({ scenario }) => scenario === name);
    expect(results).toHaveLength(seeds);
    for (const { calls } of results) {
      await removeTables();
      expect(calls.length).toBeGreaterThan(5);
      for (const call of calls.filter(isComparable)) {
        const local = await replayed(call);
        expect({ call, response: responseOf(call) }).toEqual({ call, response: local });
      }
    }
  });

  test.each(Object.entries(MISTAKES))('refuse the same mistakes with %s', async (_, calls) => {
    await compare(calls);
  });

  test('give the same response to generated conditions and updates', async () => {
    const double = new DynamoDbDouble();
    await fc.assert(
      fc.asyncProperty(generatedCalls(), (calls) => compare(calls, double)),
      // A random seed would make CI fail on unrelated changes.
      { numRuns: 400, seed: 20_261_115 },
    );
  });

  test('differ when one misses an update', async () => {
    const Key = { workspaceId: randomUUID() };
    const double = new DynamoDbDouble();
    const adding = { UpdateExpression: 'ADD n :by', ExpressionAttributeValues: { ':by': 1 } };
    await compare([put('workspaces', { Item: { ...Key, n: 1 } })], double);
    await replayed(update('workspaces', { Key, ...adding }));
    await expect(compare([get('workspaces', { Key, ConsistentRead: true })], double)).rejects.toThrow();
  });

  test.each([
    ['an operation', 'DescribeTable', { TableName: 'leads' }],
    ['a member', 'GetItem', { TableName: 'workspaces', Key: { workspaceId: { S: 'a' } }, Mystery: 1 }],
    [
      'a function',
      'PutItem',
      {
        TableName: 'workspaces',
        Item: { workspaceId: { S: 'a' } },
        ConditionExpression: 'size(x) > :n',
        ExpressionAttributeValues: { ':n': { N: '1' } },
      },
    ],
    ['a number', 'PutItem', { TableName: 'workspaces', Item: { workspaceId: { S: 'a' }, n: { N: '0.10' } } }],
  ])('throws on %s that the double does not support', (_, operation, input) => {
    expect(() => new DynamoDbDouble().execute(operation, input)).toThrow(Unsupported);
  });
});
