import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scoreLead } from '#scoring/score-lead.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(() => bench.close());

/** Somebody recommends somebody else: auto-detection takes the first address. */
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
  const leadId = await bench.putLead(FIELDS, overrides);
  await bench.newEnvironment().receive(leadId);
  const { facts } = (await bench.enrichmentOf(leadId)) as { facts: Record<string, { value: string }> };
  return [facts.email?.value, facts.firstName?.value, facts.emailDomain?.value];
}

describe('enrichment looks up', () => {
  test('whom the form names by its roles', async () => {
    const { roles } = scoreLead(FIELDS, CONFIGURATION);
    expect(await factsOf({ roles })).toEqual(['ada@analytical.com', 'Ada', 'analytical.com']);
  });

  test('by the keys, if the form has no roles', async () => {
    expect(await factsOf({})).toEqual(['grace@navy.mil', 'Grace', 'navy.mil']);
  });
});
