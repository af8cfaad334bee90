import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { copyTable } from '#local/fixture/copy-table.ts';
import { countWatchReads } from '../../bench/alerts/count-reads.ts';
import { localStack } from '../local-stack.ts';

const TABLE_KEYS = [
  'workspaces',
  'diagnostics',
  'stats',
  'destinations',
  'messages',
  'forms',
  'tokens',
  'alerts',
] as const;

/** On tables of its own: the stack's list the workspaces of all tests. */
async function readsOf(workspaces: number, active: number) {
  const { tables: stackTables, newClient } = localStack();
  const client = newClient();
  const names = await Promise.all(TABLE_KEYS.map((tableKey) => copyTable(client, stackTables[tableKey])));
  const copies = Object.fromEntries(TABLE_KEYS.map((tableKey, index) => [tableKey, names[index] ?? '']));
  const tables = { ...stackTables, ...copies };
  const reads = await countWatchReads({ newClient, tables, workspaces, active });
  for (const TableName of names) await client.send(new DeleteTableCommand({ TableName }));
  client.destroy();
  return reads;
}

test('the watch reads as much as the active workspaces need, however many there are', async () => {
  const [few, many] = [await readsOf(5, 5), await readsOf(500, 5)];
  const { processorMilliseconds } = many;
  expect(many).toEqual({ ...few, workspaces: 500, processorMilliseconds });
  // Its list, and per workspace: settings and alerts, uses, usage, destinations, their health, rejections, events.
  expect(few.calls).toBe(1 + 5 * 7);
  expect(few.readUnits / 5).toBeLessThanOrEqual(10);
});
