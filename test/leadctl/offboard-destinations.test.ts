import { randomUUID } from 'node:crypto';
import { PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from '@jest/globals';
import { openTestStack, resultOf } from './run-leadctl.ts';

const stack = openTestStack();
afterAll(stack.close);

const { client, tables } = stack;

type Item = Record<string, unknown>;

async function itemsOf(TableName: string, destinationIds: readonly string[]): Promise<Item[]> {
  const items: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    items.push(...Items.filter(({ destinationId }) => destinationIds.includes(destinationId)));
  }
  return items;
}

/** With its health and 30 messages, as the send function would leave them. */
async function newDestination(workspaceId: string): Promise<string> {
  const url = ['--kind', 'webhook', '--url', 'http://127.0.0.1:9/'];
  const create = ['destination', 'create', '--workspace', workspaceId, ...url];
  const { destinationId } = await resultOf<{ destinationId: string }>(create);
  const put = (item: Item) =>
    client.send(
      new PutCommand({ TableName: tables.messages, Item: { destinationId, workspaceId, ...item } }),
    );
  await put({ sk: '#health', failures: 1 });
  for (let index = 0; index < 30; index += 1) {
    const leadId = randomUUID();
    await put({ sk: `${leadId}#lead.accepted`, leadId, status: 'delivered' });
  }
  return destinationId;
}

test('offboarding removes destinations, their secrets and their messages, and nothing of others', async () => {
  const [{ workspaceId }, other] = await Promise.all([stack.newForm(), stack.newForm()]);
  const active = await newDestination(workspaceId);
  const paused = await newDestination(workspaceId);
  const others = await newDestination(other.workspaceId);
  await resultOf(['destination', 'pause', paused, '--workspace', workspaceId]);

  const offboard = ['workspace', 'offboard', workspaceId, '--yes'];
  const { removed } = await resultOf<{ removed: Record<string, number> }>(offboard);
  expect(removed).toMatchObject({ destinations: 2, messages: 60 });
  const { destinations, destinationSecrets, messages } = tables;
  for (const table of [destinations, destinationSecrets, messages]) {
    expect(await itemsOf(table, [active, paused])).toEqual([]);
  }
  expect(await itemsOf(messages, [others])).toHaveLength(31);
  expect(await itemsOf(destinationSecrets, [others])).toHaveLength(1);
});
