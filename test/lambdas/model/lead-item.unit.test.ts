import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Enrichment, fromEnrichmentItem, toEnrichmentItem } from '#enrichment/enrichment-item.ts';
import {
  fromLeadItem,
  hasExpired,
  itemBytes,
  keptUntil,
  type Lead,
  leadExpiry,
  RETENTION_DAYS,
  toLeadItem,
  UnknownVersion,
  writeUnits,
} from '#model/lead-item.ts';
import { acceptanceExpiry } from '#submission/idempotency-key.ts';
import { makeTelemetry } from '#submission/respond-and-report.ts';
import { scoreSubmission } from '#submission/store-lead.ts';
import type { ScoredSubmission, Submission } from '#submission/submission.ts';

const lead = (body: string): Lead => ({
  leadId: '01890a5d-ac96-774b-bcce-b302099a8057',
  workspaceId: 'ws_0000000000000000000000',
  formId: 'form_0000000000000000000000',
  surface: '1b',
  receivedAt: '2026-11-15T12:00:00.000Z',
  score: 80,
  grade: 'A',
  clean: true,
  signals: [{ name: 'email_plausible', weight: 50 }],
  body,
});

describe('a lead as an item', () => {
  test('reads back exactly as stored, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 3_000 }), (body) => {
        expect(fromLeadItem(toLeadItem(lead(body)))).toEqual(lead(body));
      }),
    );
  });

  test('stays readable text unless compression saves a write unit', () => {
    expect(toLeadItem(lead('{"email":"a@example.com"}'))).toHaveProperty('body', '{"email":"a@example.com"}');
  });

  test('is compressed when that saves a write unit, and only then', () => {
    const repetitive = JSON.stringify({ message: 'please call me back '.repeat(200) });
    const packed = toLeadItem(lead(repetitive));
    expect(packed).not.toHaveProperty('body');
    expect(writeUnits(itemBytes(packed))).toBe(1);

    const random = JSON.stringify({
      blob: Array.from({ length: 1_200 }, (_, i) => ((i * 7919) % 9973).toString(36)).join(''),
    });
    const item = toLeadItem(lead(random));
    const plainBytes = itemBytes({ ...toLeadItem(lead('')), body: random });
    expect(writeUnits(itemBytes(item))).toBeLessThanOrEqual(writeUnits(plainBytes));
  });
});

describe('the size of an item', () => {
  test.each([
    [{ a: 'b' }, 2],
    [{ a: 'é' }, 3],
    [{ n: 1 }, 3],
    [{ n: 1234 }, 4],
    [{ n: -1234 }, 5],
    [{ flag: true }, 5],
    [{ b: new Uint8Array(10) }, 11],
  ])('of %j is %i bytes', (item, bytes) => {
    expect(itemBytes(item)).toBe(bytes);
  });
});

const RECEIVED = Date.parse('2026-11-15T12:00:00.001Z');
const DAY = 24 * 60 * 60 * 1000;

describe('a lead that is kept for a time', () => {
  test('is kept as long as promised, and at most one second longer', () => {
    const moments = fc.integer({ min: 0, max: 4_102_444_800_000 });
    const days = fc.integer({ min: RETENTION_DAYS.min, max: RETENTION_DAYS.max });
    fc.assert(
      fc.property(moments, days, (receivedAt, kept) => {
        const item = { expiresAt: leadExpiry(receivedAt, kept) };
        expect(hasExpired(item, receivedAt + kept * DAY - 1)).toBe(false);
        expect(hasExpired(item, receivedAt + kept * DAY + 999)).toBe(true);
      }),
    );
  });

  test('never expires before its idempotency key', () => {
    expect(leadExpiry(RECEIVED, RETENTION_DAYS.min)).toBeGreaterThanOrEqual(acceptanceExpiry(RECEIVED));
  });

  test('shows its expiry in ISO 8601', () => {
    expect(keptUntil(leadExpiry(RECEIVED, 30))).toBe('2026-12-15T12:00:01.000Z');
  });
});

test.each([{}, { expiresAt: undefined }, { expiresAt: '0' }])('%j never expires', (item) => {
  expect(hasExpired(item, Number.MAX_SAFE_INTEGER)).toBe(false);
});

const LEAD: Lead = { ...lead('{"email":"a@example.com"}'), signals: [] };

test('a lead of the current version is read, and so is one without a version', () => {
  expect(fromLeadItem(toLeadItem(LEAD))).toEqual(LEAD);
  const { v: _version, ...unmarked } = toLeadItem(LEAD);
  expect(fromLeadItem(unmarked)).toEqual(LEAD);
});

test('a lead of a later version is rejected, not misread', () => {
  expect(() => fromLeadItem({ ...toLeadItem(LEAD), v: 2 })).toThrow(UnknownVersion);
});

test('an attribute that a later release added is ignored', () => {
  const read = fromLeadItem({ ...toLeadItem(LEAD), campaign: 'autumn' });
  expect(read).toMatchObject(LEAD);
});

test('an enrichment expires with its lead, and the expiry is not one of its facts', () => {
  const enrichment: Enrichment = {
    leadId: LEAD.leadId,
    state: 'enriched',
    facts: {},
    enrichedAt: '2026-11-15T12:00:01.000Z',
    attempts: 1,
  };
  const item = toEnrichmentItem({ ...enrichment, expiresAt: 1_800_000_000 }, LEAD);
  expect(item).toMatchObject({ expiresAt: 1_800_000_000, part: 'enrichment', v: 1 });
  // By other names than a lead has: the index by form must not list an enrichment.
  expect(item).toMatchObject({ workspace: LEAD.workspaceId, form: LEAD.formId, score: LEAD.score });
  expect(item).not.toHaveProperty('formId');
  expect(fromEnrichmentItem(item)).toEqual(enrichment);
});

test('a lead compressed by an earlier release can be read', () => {
  // Written by toLeadItem on Node 24.21. Never update it: stored leads are not rewritten either.
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

const lines: string[] = [];
const telemetry = makeTelemetry(Date.now, (line) => void lines.push(line));

const submission = () =>
  ({
    requestId: 'request-1',
    surface: '1a',
    signal: new AbortController().signal,
    parsed: { text: '{}', fields: { email: 'ada@analytical-engines.co.uk' } },
    credential: { form: { fields: [{ key: 'email', role: 'email' }] } },
  }) as unknown as ScoredSubmission;

async function run(step: ReturnType<typeof scoreSubmission>, event = submission()): Promise<Submission> {
  await step.before?.({ event } as Parameters<NonNullable<typeof step.before>>[0]);
  return event;
}

test('a lead is scored by the fields of its form', async () => {
  expect((await run(scoreSubmission({ telemetry }))).score).toMatchObject({ clean: true, grade: 'C' });
});

test('a lead is scored by what the verdicts of its workspace and form have taught', async () => {
  const learned = {
    words: {},
    signals: { email_plausible: 4 },
    forms: { form_two: { words: {}, signals: { email_plausible: 7 } } },
  };
  const learnedBy = async (formId: string) => {
    const { credential, ...rest } = submission();
    const form = { ...credential.form, formId };
    const { score } = await run(scoreSubmission({ telemetry }), {
      ...rest,
      credential: { ...credential, form, learned },
    });
    return score?.signals.find(({ name }) => name === 'learned');
  };
  expect(await learnedBy('form_one')).toEqual({ name: 'learned', weight: 4 });
  expect(await learnedBy('form_two')).toEqual({ name: 'learned', weight: 7 });
});

test('a lead whose scoring fails is stored with a signal that says so; the log has the defect without its message', async () => {
  const failing = scoreSubmission({ telemetry }, function failingScore() {
    throw new RangeError('a message may quote the body');
  });
  expect((await run(failing)).score).toEqual({
    score: 0,
    grade: 'D',
    clean: false,
    signals: [{ name: 'scoring_failed', weight: 0 }],
  });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 'ERROR',
      code: 'submission.defect',
      requestId: 'request-1',
      surface: '1a',
      error: 'RangeError',
      stack: expect.arrayContaining([expect.stringContaining('failingScore')]),
    }),
  ]);
  expect(lines.join()).not.toContain('quote');
});
