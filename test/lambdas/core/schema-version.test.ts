import { expect, test } from '@jest/globals';
import { type Enrichment, fromEnrichmentItem, toEnrichmentItem } from '#enrichment/enrichment-item.ts';
import { fromLeadItem, type Lead, toLeadItem, UnknownVersion } from '#submission/lead-item.ts';

const LEAD: Lead = {
  leadId: '01890a5d-ac96-774b-bcce-b302099a8057',
  workspaceId: 'ws_1',
  formId: 'form_1',
  surface: '1b',
  receivedAt: '2026-11-15T12:00:00.000Z',
  score: 80,
  grade: 'A',
  clean: true,
  signals: [],
  body: '{"email":"a@example.com"}',
};

test('a lead of the version that is written is read, and so is one from before there were versions', () => {
  expect(fromLeadItem(toLeadItem(LEAD))).toEqual(LEAD);
  const { v: _version, ...unmarked } = toLeadItem(LEAD);
  expect(fromLeadItem(unmarked)).toEqual(LEAD);
});

test('a lead of a later version is refused, and not misread', () => {
  expect(() => fromLeadItem({ ...toLeadItem(LEAD), v: 2 })).toThrow(UnknownVersion);
});

test('an attribute that a later release added is no obstacle', () => {
  const read = fromLeadItem({ ...toLeadItem(LEAD), campaign: 'autumn' });
  expect(read).toMatchObject(LEAD);
});

test('an enrichment goes when its lead does, and does not count that among what was found out', () => {
  const enrichment: Enrichment = {
    leadId: LEAD.leadId,
    state: 'enriched',
    facts: {},
    enrichedAt: '2026-11-15T12:00:01.000Z',
    attempts: 1,
  };
  const item = toEnrichmentItem({ ...enrichment, expiresAt: 1_800_000_000 });
  expect(item).toMatchObject({ expiresAt: 1_800_000_000, part: 'enrichment', v: 1 });
  expect(fromEnrichmentItem(item)).toEqual(enrichment);
});

test('what an earlier release packed is read for good', () => {
  // By toLeadItem on Node 24.21. It stays here as it is, whatever runs: leads are never rewritten.
  const packed = Buffer.from(
    'G34GAASibab6XDZYVj5VX8ZvfBDeMRhLImzACVqQU0C6yk2d6IrGMrwGDDXi7R1ye6bM2Dq8ecJ3xqa0xeMzUGL6yPNN/79xZVD4/TR61N07',
    'base64',
  );
  const { body: _body, signals: _signals, ...rest } = toLeadItem(LEAD);
  expect(fromLeadItem({ ...rest, packed })).toEqual({
    ...LEAD,
    body: JSON.stringify({ message: 'please call me back '.repeat(80) }),
    signals: [{ name: 'email_plausible', weight: 50 }],
  });
});
