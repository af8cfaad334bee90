import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { recordWire } from '#bench/units/wire-calls.ts';
import { makeEnrichments } from '#enrichment/enrichments-store.ts';
import { MAX_WRITE_UNITS } from '#leads/search/index-entry.ts';
import { makeLeadIndex } from '#leads/search/lead-index-store.ts';
import type { Lead } from '#model/lead-item.ts';
import { enrichmentOf, leadOf, newOwner } from './lead-fixture.ts';
import { openSearchFixture, person } from './search-fixture.ts';

const fixture = await openSearchFixture();
const { accept, deliver, entriesOf, listEntry, messageOf } = fixture;
afterAll(fixture.close);
afterEach(() => void fixture.errors.splice(0));

const ADA = person('Ada Byron', 'Engines', 'ada@engines.example');

const adaOf = (owner = newOwner(), rest: Parameters<typeof leadOf>[2] = {}) =>
  leadOf(owner, 1, { body: ADA, clean: true, ...rest });

describe('a lead', () => {
  test('gets one entry in the list and one for each beginning of a word', async () => {
    const lead = adaOf();
    await accept([lead]);
    const { workspaceId: of, leadId, formId, receivedAt, score } = lead;
    expect(await entriesOf(lead)).toEqual([`list#${of}`, `${of}#ada`, `${of}#byr`, `${of}#eng`]);
    expect(await listEntry(lead)).toMatchObject({
      ...{ leadId, formId, receivedAt, score, clean: true, enrichment: 'pending' },
      ...{ name: 'Ada Byron', company: 'Engines', email: 'ada@engines.example' },
      buckets: ['ada', 'byr', 'eng'],
    });
  });

  test('expires in the index when it expires itself', async () => {
    const lead = adaOf(newOwner(), { expiresAt: 4_000_000_000 });
    await accept([lead]);
    expect(await listEntry(lead)).toMatchObject({ expiresAt: 4_000_000_000 });
  });

  test('stays in the index after it has expired, so that it can be erased until DynamoDB deletes it', async () => {
    const expiresAt = 1_700_000_000;
    const lead = adaOf(newOwner(), { expiresAt });
    await accept([lead]);
    await deliver([messageOf(lead, 'lead.enriched')]);
    expect(await listEntry(lead)).toMatchObject({ expiresAt });
  });

  test('that was sent as a test is marked, and one that is damaged is listed without a name', async () => {
    const unreadable = adaOf();
    await fixture.putDamaged(unreadable);
    await deliver([messageOf(unreadable)]);
    expect(await listEntry(unreadable)).toMatchObject({ leadId: unreadable.leadId, score: unreadable.score });
    const [tested, damaged] = [
      adaOf(newOwner(), { body: '{"_test":true}' }),
      adaOf(newOwner(), { body: '{' }),
    ];
    await accept([tested, damaged]);
    expect(await listEntry(tested)).toMatchObject({ test: true });
    expect(await listEntry(damaged)).not.toHaveProperty('name');
  });

  test('that has been enriched costs one more write, to its list entry', async () => {
    const lead = adaOf();
    await accept([lead]);
    await fixture.putEnrichment(enrichmentOf(lead.leadId));
    fixture.calls.reset();
    await deliver([messageOf(lead, 'lead.enriched')]);
    const writes = fixture.calls.commands().filter((command) => !command.includes('Get'));
    expect(writes).toEqual(['UpdateItem']);
    expect(await listEntry(lead)).toMatchObject({ enrichment: 'enriched' });
  });

  test('whose messages come in the wrong order is indexed as it is', async () => {
    const lead = adaOf();
    await fixture.put([lead]);
    await fixture.putEnrichment(enrichmentOf(lead.leadId));
    await deliver([messageOf(lead, 'lead.enriched')]);
    await deliver([messageOf(lead, 'lead.accepted')]);
    expect(await listEntry(lead)).toMatchObject({ enrichment: 'enriched', buckets: ['ada', 'byr', 'eng'] });
  });

  test('that changes while it is indexed ends up as it is', async () => {
    const lead = adaOf();
    await fixture.put([lead]);
    const leads = makeEnrichments(fixture);
    let reads = 0;
    await deliver([messageOf(lead)], {
      leads: {
        async read(leadId, signal) {
          const seen = await leads.read(leadId, signal);
          reads += 1;
          // Right after it was read: what is written next is out of date.
          if (reads === 1) await fixture.putEnrichment(enrichmentOf(leadId));
          return seen;
        },
      },
    });
    expect(await listEntry(lead)).toMatchObject({ enrichment: 'enriched' });
  });
});

describe('a lead that is gone', () => {
  test('loses all its entries', async () => {
    const lead = adaOf();
    await accept([lead]);
    await fixture.deleteLead(lead);
    expect(await deliver([messageOf(lead, 'lead.erased')])).toEqual([]);
    expect(await entriesOf(lead)).toEqual([]);
  });

  test('gets none if its messages come in the wrong order, or again', async () => {
    const lead = adaOf();
    await deliver([messageOf(lead, 'lead.erased'), messageOf(lead), messageOf(lead, 'lead.enriched')]);
    await deliver([messageOf(lead)]);
    expect(await entriesOf(lead)).toEqual([]);
  });

  test('loses them also if it goes while it is being indexed', async () => {
    const lead = adaOf();
    await fixture.put([lead]);
    const { index } = fixture.dependencies;
    await deliver([messageOf(lead)], {
      index: {
        ...index,
        async write(...given) {
          await fixture.deleteLead(lead);
          await index.write(...given);
        },
      },
    });
    expect(await entriesOf(lead)).toEqual([]);
  });

  test('loses them if removing was interrupted', async () => {
    const lead = adaOf();
    await accept([lead]);
    await fixture.deleteLead(lead);
    const { index } = fixture.dependencies;
    const dying = {
      ...index,
      remove: async () => {
        throw new Error('the function dies');
      },
    };
    expect(await deliver([messageOf(lead, 'lead.erased')], { index: dying })).toEqual(['0']);
    expect(await deliver([messageOf(lead, 'lead.erased')])).toEqual([]);
    expect(await entriesOf(lead)).toEqual([]);
  });
});

test.each([
  ['no JSON', async (lead: Lead) => fixture.put([{ ...lead, body: '{"email":' }])],
  ['nothing that can be unpacked', async (lead: Lead) => fixture.putDamaged(lead)],
])('a lead that was damaged after it was listed, and has %s, is still found', async (_, damage) => {
  const lead = adaOf();
  await accept([lead]);
  await damage(lead);
  await deliver([messageOf(lead)]);
  expect(await listEntry(lead)).toMatchObject({
    email: 'ada@engines.example',
    buckets: ['ada', 'byr', 'eng'],
  });
});

test('words that a lead no longer has lose their entries when it is indexed again', async () => {
  const lead = adaOf();
  await accept([lead]);
  await fixture.put([{ ...lead, body: person('Grace Hopper', 'Navy', 'ada@engines.example') }]);
  await deliver([messageOf(lead)]);
  const of = lead.workspaceId;
  expect(await entriesOf(lead)).toEqual(
    [`list#${of}`, `${of}#ada`, `${of}#gra`, `${of}#hop`, `${of}#nav`, `${of}#eng`].sort(),
  );
});

test('without word entries a lead has one entry, and turning them off removes those it had', async () => {
  const lead = adaOf();
  await accept([lead]);
  await deliver([messageOf(lead)], { withWords: false });
  expect(await entriesOf(lead)).toEqual([`list#${lead.workspaceId}`]);
});

test('a message that names no lead, or another workspace, fails or changes nothing, and the others go on', async () => {
  const lead = adaOf();
  const foreign = { ...messageOf(lead), workspaceId: newOwner().workspaceId };
  await fixture.put([lead]);
  expect(await deliver(['no JSON', '{}', foreign, messageOf(lead)])).toEqual(['0', '1']);
  expect(await entriesOf(lead)).toHaveLength(4);
  expect(fixture.errors).toHaveLength(2);
});

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
