import { afterAll, expect, test } from '@jest/globals';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { recordWire } from '#bench/units/wire-calls.ts';
import { makeEnrichments } from '#enrichment/enrichments-store.ts';
import { MAX_WRITE_UNITS } from '#leads/search/index-entry.ts';
import { makeLeadIndex } from '#leads/search/lead-index-store.ts';
import { enrichmentOf, leadOf, newOwner } from './lead-fixture.ts';
import { openSearchFixture, person } from './search-fixture.ts';

const fixture = await openSearchFixture();
afterAll(fixture.close);

const rawClient = fixture.newClient();
const wire = recordWire(rawClient);
const context = { client: toDocumentClient(rawClient), tables: fixture.tables };
const parts = { leads: makeEnrichments(context), index: makeLeadIndex(context) };

const WRITES = /^(Put|Update|Delete|BatchWrite)Item$/;

/** What DynamoDB Local charges for indexing a lead, and again once it has been enriched if it is clean. */
async function unitsOf(body: string, clean: boolean, withWords = true) {
  const lead = leadOf(newOwner(), 1, { body, clean });
  await fixture.put([lead]);
  wire.reset();
  await fixture.deliver([fixture.messageOf(lead)], { ...parts, withWords });
  if (clean) {
    await fixture.putEnrichment(enrichmentOf(lead.leadId));
    await fixture.deliver([fixture.messageOf(lead, 'lead.enriched')], { ...parts, withWords });
  }
  const sum = (isCounted: (action: string) => boolean) =>
    wire
      .list()
      .filter(({ action }) => isCounted(action))
      .flatMap(({ consumed }) => consumed)
      .reduce((total, { CapacityUnits = 0 }) => total + CapacityUnits, 0);
  expect(fixture.errors).toEqual([]);
  return {
    write: sum((action) => WRITES.test(action)),
    read: sum((action) => !WRITES.test(action)),
    entries: (await fixture.entriesOf(lead)).length,
  };
}

const TYPICAL = person('Ada Lovelace', 'Analytical Engines Ltd', 'ada@engines.example', {
  phone: '+44 20 7946 0123',
});
const FREE_MAIL = person('Ada Lovelace', '', 'ada.lovelace@gmail.com');
const MANY_WORDS = person(
  'Maria del Carmen Fernández Gutiérrez',
  'Quality Wood Products, Xylophones and Zithers GmbH',
  'kontakt@ultra.vertrieb.example',
  { phone: '+44 20 7946 0123' },
);

test.each([
  ['typical, clean and enriched', TYPICAL, true, 8],
  ['typical, not clean', TYPICAL, false, 7],
  ['with an address of free mail, clean and enriched', FREE_MAIL, true, 4],
  ['with many words, clean and enriched', MANY_WORDS, true, MAX_WRITE_UNITS],
  ['with many words, not clean', MANY_WORDS, false, MAX_WRITE_UNITS],
])('a lead costs write units: %s', async (_, body, clean, units) => {
  const { write, entries } = await unitsOf(body, clean);
  expect(write).toBe(units);
  expect(write).toBeLessThanOrEqual(MAX_WRITE_UNITS);
  expect(entries).toBe(clean ? units - 1 : units);
});

test.each([
  ['clean and enriched', true, 2],
  ['not clean', false, 1],
])('without word entries a lead costs write units: %s', async (_, clean, units) => {
  expect(await unitsOf(MANY_WORDS, clean, false)).toMatchObject({ write: units, entries: 1 });
});

test('an erased lead costs one write unit for each of its entries', async () => {
  const lead = leadOf(newOwner(), 1, { body: TYPICAL, clean: false });
  await fixture.accept([lead]);
  const entries = await fixture.entriesOf(lead);
  await fixture.deleteLead(lead);
  wire.reset();
  await fixture.deliver([fixture.messageOf(lead, 'lead.erased')], parts);
  const consumed = wire.list().filter(({ action }) => WRITES.test(action));
  const units = consumed.flatMap((call) => call.consumed).map(({ CapacityUnits = 0 }) => CapacityUnits);
  expect(units.reduce((sum, each) => sum + each, 0)).toBe(entries.length);
  expect(await fixture.entriesOf(lead)).toEqual([]);
});
