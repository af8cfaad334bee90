import { afterAll, expect, test } from '@jest/globals';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { recordWire } from '#bench/units/wire-calls.ts';
import { indexStores } from '#leads/search/index-leads/handler.ts';
import { leadOf, newOwner } from './lead-fixture.ts';
import { openSearchFixture, person } from './search-fixture.ts';

const fixture = await openSearchFixture();
const { accept, bucketsOf, deliver, entriesOf, messageOf } = fixture;
afterAll(fixture.close);

const EMAIL = 'ada@engines.example';
const ADA = person('Ada Byron', 'Engines', EMAIL, { phone: '+44 20 7946 0123' });

const rawClient = fixture.newClient();
const wire = recordWire(rawClient);
const parts = indexStores({
  client: toDocumentClient(rawClient),
  tables: fixture.tables,
  now: fixture.now,
});

const WRITES = /^(Put|Update|Delete|BatchWrite)Item$/;

function unitsUsed() {
  const sum = (isCounted: (action: string) => boolean) =>
    wire
      .list()
      .filter(({ action }) => isCounted(action))
      .flatMap(({ consumed }) => consumed)
      .reduce((total, { CapacityUnits = 0 }) => total + CapacityUnits, 0);
  return { write: sum((action) => WRITES.test(action)), read: sum((action) => !WRITES.test(action)) };
}

const LONG = person(
  'Maria del Carmen Fernández Gutiérrez',
  'Quality Wood Products, Xylophones and Zithers GmbH',
  'kontakt@ultra.vertrieb.example',
  { phone: '+44 20 7946 0123', message: 'Grüße an alle '.repeat(250) },
);
const MENTIONS = person('Ada Lovelace', 'Engines', EMAIL, { cc: 'a@b.example, c@d.example, e@f.example' });

test.each([
  ['typical', ADA, 3, 2],
  ['with an address only', person('Ada', '', EMAIL), 2, 2],
  ['of almost 4 KB', LONG, 3, 2],
  ['that mentions three more addresses', MENTIONS, 5, 2],
])('a lead costs so many units: %s', async (_, body, write, read) => {
  // Searches must know of the month, which costs once.
  const owner = newOwner();
  const first = leadOf(owner, 0, { body: ADA });
  await fixture.put([first]);
  await deliver([messageOf(first)], parts);
  const lead = leadOf(owner, 1, { body, clean: true });
  await fixture.put([lead]);
  wire.reset();
  await deliver([messageOf(lead)], parts);
  expect(unitsUsed()).toEqual({ write, read });
  expect(await entriesOf(lead)).toHaveLength(write);
});

test('a lead that is handled costs one write unit and two read units, however long its names are', async () => {
  const long = person(
    'Fernández '.repeat(60),
    'Xylophones '.repeat(60),
    `${'a'.repeat(200)}@engines.example`,
  );
  const lead = leadOf(newOwner(), 1, { body: long, clean: true });
  await accept([lead]);
  const deed = { at: '2026-03-01T12:00:00.000Z', by: 'member:mem_1' };
  await fixture.put([{ ...lead, opened: deed, handled: deed }]);
  wire.reset();
  await deliver([messageOf(lead, 'lead.handled')], parts);
  expect(unitsUsed()).toEqual({ write: 1, read: 2 });
  expect(await fixture.listEntry(lead)).toMatchObject({ handling: 'handled' });
});

test('an erased lead costs one write unit for each of its entries', async () => {
  const lead = leadOf(newOwner(), 1, { body: ADA, clean: true });
  await accept([lead]);
  const entries = await entriesOf(lead);
  await fixture.deleteLead(lead);
  wire.reset();
  await deliver([messageOf(lead, 'lead.erased')], parts);
  expect(unitsUsed().write).toBe(entries.length);
  expect(await bucketsOf(lead)).toEqual(['erased']);
});
