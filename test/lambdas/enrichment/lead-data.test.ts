import { afterAll, describe, expect, test } from '@jest/globals';
import { scoreLead } from '#scoring/score-lead.ts';
import { eventOf, message, openSubmissionFixture, SAMPLE } from './enrichment-fixture.ts';

const fixture = await openSubmissionFixture();
afterAll(fixture.close);

/** Somebody recommends a friend: auto-detection takes the first address. */
const FIELDS = {
  email: 'grace@navy.mil',
  friend: 'ada@analytical.com',
  name: 'Grace Hopper',
  who: 'Ada Byron',
};
const CONFIGURATION = [
  { key: 'friend', role: 'email' },
  { key: 'who', role: 'name' },
];

async function factsOf(overrides: Record<string, unknown>) {
  const leadId = await fixture.putLead(FIELDS, overrides);
  await fixture.newEnvironment().receive(leadId);
  const { facts } = (await fixture.enrichmentOf(leadId)) as { facts: Record<string, { value: string }> };
  return [facts.email?.value, facts.firstName?.value, facts.emailDomain?.value];
}

describe('enrichment looks up the person', () => {
  test('that the roles of the form name', async () => {
    const { roles } = scoreLead(FIELDS, CONFIGURATION);
    expect(await factsOf({ roles })).toEqual(['ada@analytical.com', 'Ada', 'analytical.com']);
  });

  test('that the fields made of a payload name, whatever else the body contains', async () => {
    const fields = JSON.stringify({ name: 'Ada Byron', email: 'ada@analytical.com' });
    expect(await factsOf({ fields })).toEqual(['ada@analytical.com', 'Ada', 'analytical.com']);
  });

  test('that the keys name, if the form has no roles', async () => {
    expect(await factsOf({})).toEqual(['grace@navy.mil', 'Grace', 'navy.mil']);
  });
});

const inAWeek = fixture.clock.now / 1000 + 7 * 86_400;

test('a lead that is marked as spam meanwhile is not announced as clean', async () => {
  const leadId = await fixture.putLead();
  const { receive } = fixture.newEnvironment({
    mailExchanges: {
      async hostsOf() {
        await fixture.setClean(leadId, false);
        return [];
      },
    },
  });
  expect(await receive(leadId)).toEqual([]);
  expect(await fixture.enrichmentOf(leadId)).toMatchObject({ state: 'enriched', clean: false });
});

test('a lead that is no longer spam announces its enrichment once more', async () => {
  const leadId = await fixture.putLead();
  const { enrich, receive } = fixture.newEnvironment();
  await receive(leadId);
  const first = await fixture.enrichmentOf(leadId);
  const madeClean = message(JSON.stringify({ leadId, madeClean: true }));
  expect((await enrich(eventOf(madeClean))).batchItemFailures).toEqual([]);
  const announcedAt = expect.any(String);
  expect(await fixture.enrichmentOf(leadId)).toEqual({ ...first, announcedAt });
});

test('a verdict that came before the function died is announced by the next receive', async () => {
  const leadId = await fixture.putLead(SAMPLE, { expiresAt: inAWeek });
  const { receive, codes } = fixture.newEnvironment();
  await receive(leadId);
  await fixture.setClean(leadId, false);
  expect(await receive(leadId, 2)).toEqual([]);
  expect(await fixture.enrichmentOf(leadId)).toMatchObject({ clean: false, expiresAt: inAWeek });
  await fixture.setClean(leadId, true);
  expect(await receive(leadId, 3)).toEqual([]);
  expect(await fixture.enrichmentOf(leadId)).toMatchObject({ clean: true, expiresAt: inAWeek });
  expect(codes()).toEqual(['enriched', 'skipped', 'already_enriched']);
});

test('an enrichment expires with its lead, or never if the lead never does', async () => {
  const { receive } = fixture.newEnvironment();
  const passing = await fixture.putLead(SAMPLE, { expiresAt: inAWeek });
  const kept = await fixture.putLead();
  expect([await receive(passing), await receive(kept)]).toEqual([[], []]);
  expect(await fixture.enrichmentOf(passing)).toMatchObject({
    state: 'enriched',
    expiresAt: inAWeek,
  });
  expect(await fixture.enrichmentOf(kept)).toMatchObject({ state: 'enriched' });
  expect(await fixture.enrichmentOf(kept)).not.toHaveProperty('expiresAt');
});

test('an expired lead is not enriched, even if it is still stored', async () => {
  const { receive, codes } = fixture.newEnvironment();
  const leadId = await fixture.putLead(SAMPLE, { expiresAt: fixture.clock.now / 1000 });
  expect(await receive(leadId)).toEqual([]);
  expect(codes()).toEqual(['gone']);
  expect(await fixture.enrichmentOf(leadId)).toBeUndefined();
});

test('a lead of a later schema version waits for the release that can read it', async () => {
  const { receive, codes } = fixture.newEnvironment();
  const leadId = await fixture.putLead(SAMPLE, { v: 2 });
  expect(await receive(leadId)).toHaveLength(1);
  expect(codes()).toEqual(['retried']);
  expect(await fixture.enrichmentOf(leadId)).toBeUndefined();
});
