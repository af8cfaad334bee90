import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { copyTable } from '#local/fixture/copy-table.ts';
import { countSearchReads } from '../../bench/search/count-reads.ts';
import { localStack } from '../local-stack.ts';

async function readsWith(leads: number) {
  const { tables, newClient } = localStack();
  const client = newClient();
  const leadIndex = await copyTable(client, tables.leadIndex);
  const results = await countSearchReads({ newClient, tables: { ...tables, leadIndex }, leads });
  await client.send(new DeleteTableCommand({ TableName: leadIndex }));
  client.destroy();
  return results;
}

test('a search reads no more than it has to', async () => {
  const { leads, reads, averageEntryBytes, writeUnitsPerLead } = await readsWith(8_000);
  expect(writeUnitsPerLead).toBeLessThanOrEqual(3.1);
  expect(averageEntryBytes).toBeLessThanOrEqual(320);
  const units = Object.fromEntries(reads.map(({ search, readUnits }) => [search, readUnits]));
  // However many leads there are: a query, the list entry, the lead for its first words, and its enrichment.
  expect(units['an email address']).toBeLessThanOrEqual(4);
  expect(units['a phone number']).toBeLessThanOrEqual(4);
  // 50 entries, their leads, and the enrichments of those that are clean.
  expect(units['the newest page of the list']).toBeLessThanOrEqual(110);
  expect(units['a name that 1 % have']).toBeLessThanOrEqual(280);
  // Of 100,000 leads: at most 4,000 units.
  expect(units['a word that nobody has']).toBeLessThanOrEqual((4_000 * leads) / 100_000);

  const found = Object.fromEntries(reads.map(({ search, found: count }) => [search, count]));
  expect(found).toMatchObject({
    'the newest page of the list': 50,
    'an email address': 1,
    'a phone number': 1,
    'a name that 1 % have': 50,
    'the most common first name': 50,
    'a domain of free mail': 50,
    'a word that nobody has': 0,
  });
  expect(found['first and last name']).toBeGreaterThanOrEqual(1);
  expect(found['the middle of a name']).toBeGreaterThanOrEqual(1);
});
