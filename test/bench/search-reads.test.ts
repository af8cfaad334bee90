import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { MAX_WRITE_UNITS } from '#leads/search/index-entry.ts';
import { MAX_QUERIES, READ_AT_ONCE } from '#leads/search/lead-search-store.ts';
import { countSearchReads } from '../../bench/search/count-reads.ts';
import { copyTable } from '../lambdas/leads/lead-fixture.ts';
import { localStack } from '../local-stack.ts';

async function readsWith(leads: number) {
  const { tables, newClient } = localStack();
  const client = newClient();
  const leadIndex = await copyTable(client, tables.leadIndex);
  const results = await countSearchReads({ newClient, tables: { leadIndex }, leads });
  await client.send(new DeleteTableCommand({ TableName: leadIndex }));
  client.destroy();
  return results;
}

/** Of an entry, in bytes: what a query reads is counted by size. */
const MAX_ENTRY = 1_024;

test('a search reads the entries of one word, however many leads there are', async () => {
  const [few, many] = [await readsWith(500), await readsWith(2_000)];
  for (const { writeUnitsPerLead } of [few, many]) {
    expect(writeUnitsPerLead).toBeLessThanOrEqual(MAX_WRITE_UNITS);
  }
  const read = (name: string) =>
    [few, many].map(({ reads }) => reads.find(({ search }) => search === name)?.readUnits ?? Number.NaN);
  const [listOfFew, listOfMany] = read('the newest page of the list');
  expect(listOfMany).toBe(listOfFew);
  for (const { calls, readUnits } of many.reads) {
    expect(calls).toBeLessThanOrEqual(2 * MAX_QUERIES);
    expect(readUnits).toBeLessThanOrEqual((MAX_QUERIES * READ_AT_ONCE * MAX_ENTRY) / 8_192);
  }
  const byName = Object.fromEntries(many.reads.map(({ search, found }) => [search, found]));
  expect(byName).toMatchObject({
    'the newest page of the list': 50,
    'an email address': 1,
    'first and last name': expect.any(Number),
    'a name that nobody has, in a full bucket': 0,
    'a domain of free mail, from the list': 50,
  });
  expect(byName['first and last name']).toBeGreaterThanOrEqual(1);
});
