import { afterEach, describe, expect, test } from '@jest/globals';
import { monthOf } from '#leads/search/index-entry.ts';
import { personKey } from '#leads/search/lead-contact.ts';
import type { Followed } from '#model/handling.ts';
import type { Lead } from '#model/lead-item.ts';
import { enrichmentOf, leadOf, newOwner } from './lead-fixture.ts';
import { openSearchFixture, person } from './search-fixture.ts';

const fixture = await openSearchFixture();
const { accept, bucketsOf, deliver, entriesOf, listEntry, messageOf } = fixture;
afterEach(() => void fixture.errors.splice(0));

const EMAIL = 'ada@engines.example';
const ADA = person('Ada Byron', 'Engines', EMAIL, { phone: '+44 20 7946 0123' });

const adaOf = (owner = newOwner(), rest: Partial<Lead> = {}) =>
  leadOf(owner, 1, { body: ADA, clean: true, ...rest });
const keyOf = (email: string) => personKey('email', email);
const failed = (leadId: string) =>
  ({ ...enrichmentOf(leadId), state: 'failed', reason: 'nothing_recognised' }) as const;

describe('a lead', () => {
  test('gets one entry in the list of its month, and one for its address and its number', async () => {
    const lead = adaOf();
    await accept([lead]);
    const { workspaceId: of, leadId, formId, score } = lead;
    expect(await bucketsOf(lead)).toEqual([
      'list#2026-03',
      ...[keyOf(EMAIL), personKey('phone', '442079460123')].map((key) => `person#${key}`).sort(),
    ]);
    expect(await listEntry(lead)).toMatchObject({
      ...{ bucket: `list#${of}#2026-03`, leadId, formId, score, clean: true },
      ...{ name: 'Ada Byron', company: 'Engines', email: EMAIL, phone: '442079460123' },
    });
  });

  test('expires in the index when it expires itself, and can be erased until DynamoDB deletes it', async () => {
    const expiresAt = 1_700_000_000;
    const lead = adaOf(newOwner(), { expiresAt });
    await accept([lead]);
    await deliver([messageOf(lead, 'lead.enriched')]);
    expect(await entriesOf(lead)).toMatchObject([{ expiresAt }, { expiresAt }, { expiresAt }]);
  });

  test('of a provider is listed by its fields, and found by an address that only its body has', async () => {
    const body = JSON.stringify({ host: 'host@calendar.example', payload: { who: 'Grace', mail: EMAIL } });
    const fields = JSON.stringify({ name: 'Grace Hopper', email: EMAIL });
    const lead = adaOf(newOwner(), { body, fields, test: true });
    await accept([lead]);
    expect(await listEntry(lead)).toMatchObject({ name: 'Grace Hopper', email: EMAIL, test: true });
    expect(await bucketsOf(lead)).toEqual([
      'list#2026-03',
      ...[keyOf(EMAIL), keyOf('host@calendar.example')].map((key) => `person#${key}`).sort(),
    ]);
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

  test('whose enrichment failed is marked with one write, until it is enriched after all', async () => {
    const lead = adaOf();
    await accept([lead]);
    await fixture.putEnrichment(failed(lead.leadId));
    fixture.calls.reset();
    await deliver([messageOf(lead, 'lead.enrichment_failed')]);
    expect(fixture.calls.commands()).toEqual(['UpdateItem']);
    expect(await listEntry(lead)).toMatchObject({ enrichmentFailed: true });
    await fixture.putEnrichment(enrichmentOf(lead.leadId));
    await deliver([messageOf(lead, 'lead.enriched')]);
    expect(await listEntry(lead)).not.toHaveProperty('enrichmentFailed');
  });

  test.each([
    ['before the lead was indexed', ['lead.enrichment_failed', 'lead.accepted']],
    ['and the first message comes again', ['lead.accepted', 'lead.enrichment_failed', 'lead.accepted']],
    ['and it is reviewed', ['lead.accepted', 'lead.enrichment_failed', 'lead.reviewed']],
  ] as const)('whose enrichment failed %s stays marked', async (_, types) => {
    const lead = adaOf();
    await fixture.put([lead]);
    await fixture.putEnrichment(failed(lead.leadId));
    for (const type of types) await deliver([messageOf(lead, type)]);
    expect(await listEntry(lead)).toMatchObject({ name: 'Ada Byron', enrichmentFailed: true });
  });

  test('stays marked if its enrichment fails while its entry is being replaced', async () => {
    const lead = adaOf();
    await accept([lead]);
    let puts = 0;
    fixture.calls.injectBefore(async (command) => {
      puts += command === 'PutItem' ? 1 : 0;
      if (command === 'PutItem' && puts === 2) {
        puts = 3;
        await fixture.dependencies.index.noteFailedEnrichment(lead, true, AbortSignal.timeout(10_000));
      }
      return undefined;
    });
    await deliver([messageOf(lead)]);
    fixture.calls.injectBefore(undefined);
    expect(puts).toBeGreaterThanOrEqual(3);
    expect(await listEntry(lead)).toMatchObject({ enrichmentFailed: true });
  });

  const follow = (lead: Lead, followed: Followed) => fixture.put([{ ...lead, ...followed }]);
  const DEED = { at: '2026-03-01T12:00:00.000Z', by: 'member:mem_1' };

  test('that is opened, handled and to do again is marked with one write each', async () => {
    const lead = adaOf();
    await accept([lead]);
    expect(await listEntry(lead)).not.toHaveProperty('handling');
    for (const [followed, handling] of [
      [{ opened: DEED }, 'open'],
      [{ opened: DEED, handled: { ...DEED, note: 'private' } }, 'handled'],
      [{ opened: DEED }, 'open'],
    ] as const) {
      await follow(lead, followed);
      fixture.calls.reset();
      await deliver([messageOf(lead, 'lead.handled')]);
      expect(fixture.calls.commands()).toEqual(['BatchGetItem', 'UpdateItem', 'BatchGetItem']);
      expect(await listEntry(lead)).toMatchObject({ name: 'Ada Byron', handling });
    }
    expect(JSON.stringify(await fixture.entriesOf(lead))).not.toContain('private');
  });

  test('that is handled before it is indexed, or while its status is written, ends up as it is', async () => {
    const [early, late] = [adaOf(), adaOf()];
    await follow(early, { opened: DEED, handled: DEED });
    await deliver([messageOf(early, 'lead.handled')]);
    expect(await listEntry(early)).toMatchObject({ handling: 'handled' });

    await accept([late]);
    await follow(late, { opened: DEED });
    let isHandled = false;
    fixture.calls.injectBefore(async (command) => {
      if (command === 'UpdateItem' && !isHandled) {
        isHandled = true;
        await follow(late, { opened: DEED, handled: DEED });
      }
      return undefined;
    });
    await deliver([messageOf(late, 'lead.handled')]);
    fixture.calls.injectBefore(undefined);
    expect(await listEntry(late)).toMatchObject({ handling: 'handled' });
  });
});

describe('a review that changes the roles', () => {
  const body = JSON.stringify({
    ...{
      customer: 'carla@home.example',
      email: EMAIL,
      phone: '+44 20 7946 0123',
      mobile: '+44 20 7946 0958',
    },
    ...{ cc: 'a@b.example, c@d.example, e@f.example' },
  });
  const roles = { email: 'customer', phone: 'mobile' };
  const expected = ['carla@home.example', EMAIL, 'a@b.example', 'c@d.example'].map(keyOf);

  /** The lead as it was indexed before, and with the roles that the review has stored. */
  async function reviewed(): Promise<Lead> {
    const lead = adaOf(newOwner(), { body, clean: false });
    await accept([lead]);
    expect(await listEntry(lead)).toMatchObject({ email: EMAIL, phone: '442079460123' });
    await fixture.put([{ ...lead, clean: true, roles }]);
    return lead;
  }

  async function requireNew(lead: Lead): Promise<void> {
    expect(await listEntry(lead)).toMatchObject({ email: 'carla@home.example', phone: '442079460958' });
    expect(await listEntry(lead)).not.toHaveProperty('stale');
    const people = (await entriesOf(lead)).filter(({ bucket }) => `${bucket}`.startsWith('person#'));
    const keys = people.map(({ bucket, mentioned = false }) => [`${bucket}`.split('#')[2], mentioned]);
    expect(new Map(keys as [string, boolean][])).toEqual(
      new Map([
        ...expected.map((key, index) => [key, index > 0] as const),
        [personKey('phone', '442079460958'), false] as const,
      ]),
    );
  }

  test('rewrites the entries and removes those that the lead no longer has', async () => {
    const lead = await reviewed();
    await deliver([messageOf(lead, 'lead.reviewed')]);
    await requireNew(lead);
  });

  test.each([1, 2, 3])(
    'does so too if the function dies before write %s after the list entry',
    async (write) => {
      const lead = await reviewed();
      let writes = 0;
      fixture.calls.injectBefore((command, input) => {
        const isList = command === 'PutItem' && JSON.stringify(input).includes('list#');
        if (writes > 0 || (isList && JSON.stringify(input).includes('"stale"')))
          writes += /Get/.test(command) ? 0 : 1;
        return writes > write ? new Error('the function dies') : undefined;
      });
      expect(await deliver([messageOf(lead, 'lead.reviewed')])).toEqual(['0']);
      fixture.calls.injectBefore(undefined);
      await deliver([messageOf(lead, 'lead.reviewed')]);
      await requireNew(lead);
    },
  );
});

test.each([
  ['no JSON', async (lead: Lead) => fixture.put([{ ...lead, body: '{"email":' }])],
  ['nothing that can be unpacked', async (lead: Lead) => fixture.putDamaged(lead)],
])('a lead that was damaged after it was listed, and has %s, is still found', async (_, damage) => {
  const lead = adaOf();
  await accept([lead]);
  const before = await bucketsOf(lead);
  await damage(lead);
  await deliver([messageOf(lead)]);
  expect(await listEntry(lead)).toMatchObject({ email: EMAIL });
  expect(await bucketsOf(lead)).toEqual(before);
});

test('a message that names no lead, or another workspace, fails or changes nothing, and the others go on', async () => {
  const lead = adaOf();
  const foreign = { ...messageOf(lead), workspaceId: newOwner().workspaceId };
  await fixture.put([lead]);
  expect(await deliver(['no JSON', '{}', foreign, messageOf(lead)])).toEqual(['0', '1']);
  expect(await entriesOf(lead)).toHaveLength(3);
  expect(fixture.errors).toHaveLength(2);
});

test.each([
  ['01937f3e-0000-7000-8000-000000000000', '2024-11'],
  ['ffffffff-ffff-7fff-bfff-ffffffffffff', '9999-12'],
])('the month of %s is %s', (leadId, month) => {
  expect(monthOf(leadId)).toBe(month);
});
