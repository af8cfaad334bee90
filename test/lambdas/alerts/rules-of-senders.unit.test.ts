import { describe, expect, test } from '@jest/globals';
import { DEFAULT_SETTINGS } from '#alerts/alert.ts';
import { type Baseline, buildBaseline, expectedLeads, unusualGap } from '#alerts/baseline.ts';
import { describeOpened } from '#alerts/describe-alert.ts';
import { DAY, HOUR, MINUTE, type OpenAlerts, type RejectionTally, type Snapshot } from '#alerts/snapshot.ts';
import { baselineOf, busy, kinds, NOW, problems, rejected, silentFor, usual } from './snapshots.ts';

describe('a baseline', () => {
  test('expects at each hour of the week what that hour usually brings', () => {
    const office = baselineOf((hour) =>
      hour % 24 >= 8 && hour % 24 < 18 && Math.floor(hour / 24) % 7 < 5 ? 6 : 0,
    );
    const thursday = Date.parse('2026-11-12T00:00:00Z');
    expect(expectedLeads(office, thursday + 8 * HOUR, thursday + 18 * HOUR)).toBeCloseTo(60, 0);
    expect(expectedLeads(office, thursday + 18 * HOUR, thursday + 32 * HOUR)).toBeCloseTo(0, 1);
  });

  test('lasts over the end of a week', () => {
    expect(expectedLeads(busy, NOW, NOW + 14 * DAY)).toBeCloseTo(14 * 240, -1);
  });

  test('forgets a campaign, which would make its hour expect another one', () => {
    const campaign = NOW / HOUR - 100;
    const baseline = baselineOf((hour) => (hour === campaign ? 5_000 : 2));
    const nextWeek = (campaign + 168) * HOUR;
    expect(expectedLeads(baseline, nextWeek, nextWeek + HOUR)).toBeLessThan(8);
  });

  test('calls a longer gap unusual where leads come in groups', () => {
    const grouped = baselineOf((hour) => (hour % 12 === 0 ? 120 : 0));
    expect(unusualGap(grouped) / expectedLeads(grouped, NOW, NOW + HOUR)).toBeGreaterThan(
      unusualGap(busy) / expectedLeads(busy, NOW, NOW + HOUR),
    );
  });

  test.each([
    ['none without leads', [], undefined],
    ['none of two leads', [1, 2], undefined],
    ['a young one of three leads', [1, 2, 3], true],
  ])('%s', (_what, hoursAgo, young) => {
    const counts = hoursAgo.map((ago) => ({ hour: NOW / HOUR - ago, accepted: 1 }));
    expect(buildBaseline('form_1#1b', counts, NOW)?.young).toBe(young);
  });
});

describe('a broken sender', () => {
  const proved = { reason: 'body_invalid_json', authenticated: true } as const;
  const recent = [{ ...rejected(1, 30 * MINUTE), mistake: 'secret_previous' }];

  /** A webhook that was last accepted so long ago, and what was rejected since. */
  const silent = (ago: number, rejections: RejectionTally, more: Partial<Snapshot> = {}) => ({
    senders: silentFor(ago),
    rejections: [rejections],
    ...more,
  });
  const revoked = { surface: '1a', reason: 'token_revoked' } as const;
  const tokens = { senders: silentFor(61 * MINUTE, 'token#tok_1') };
  const expecting = { baselines: usual };

  test.each<[string, Partial<Snapshot>]>([
    ['that proves itself, after an hour', silent(61 * MINUTE, rejected(3, 30 * MINUTE, proved))],
    [
      'that proves itself, as soon as leads are missing',
      silent(20 * MINUTE, rejected(1, 10 * MINUTE, proved), expecting),
    ],
    ['whose signature fits an old secret', silent(61 * MINUTE, rejected(1, 30 * MINUTE), { recent })],
    ['with a wrong secret, if the silence is unusual', silent(3 * HOUR, rejected(3, HOUR), expecting)],
    ['with a revoked token', silent(61 * MINUTE, rejected(1, 30 * MINUTE, revoked), tokens)],
  ])('%s', (_what, facts) => {
    expect(kinds(facts)).toEqual(['sender_broken']);
  });

  test.each<[string, Partial<Snapshot>]>([
    ['forged requests to a form whose sender works', silent(MINUTE, rejected(5_000, 0), expecting)],
    ['forged requests in a usual pause', silent(20 * MINUTE, rejected(5_000, 0), expecting)],
    ['forged requests to a form with few leads', silent(6 * DAY, rejected(5_000, 0))],
    ['rejections before the last lead', silent(61 * MINUTE, rejected(9, 62 * MINUTE, proved))],
    ['rejections on the other surface', silent(61 * MINUTE, rejected(9, 0, { ...proved, surface: '1a' }))],
    ['rejections of another form', silent(61 * MINUTE, rejected(9, 0, { ...proved, formId: 'form_2' }))],
    ['two malformed bodies in an hour', silent(61 * MINUTE, rejected(2, 0, proved))],
    ['a sender that was last accepted eight days ago', silent(8 * DAY, rejected(9, 0, proved))],
  ])('is not seen in %s', (_what, facts) => {
    expect(kinds(facts)).toEqual([]);
  });

  test('counts what was rejected in the minute of the last lead, if it came after it', () => {
    const senders = [{ sender: 'token#tok_1', formId: 'form_1', lastUsedAt: NOW - 2 * HOUR + 10_000 }];
    const counters = [rejected(3, 2 * HOUR, revoked)];
    const at = (milliseconds: number) => ({ ...rejected(1, 2 * HOUR - milliseconds, revoked) });
    expect(kinds({ senders, rejections: counters, recent: [at(5_000)] })).toEqual([]);
    const [found] = problems({ senders, rejections: counters, recent: [at(5_000), at(20_000), at(30_000)] });
    expect(found).toMatchObject({ kind: 'sender_broken', facts: { rejections: 2, reason: 'token_revoked' } });
  });

  test('takes the place of warnings about the same form', () => {
    const previous = { sender: 'secret#form_1#previous', formId: 'form_1', lastUsedAt: NOW - 61 * MINUTE };
    const senders = [{ ...previous, skewSeconds: 200, endsAt: NOW + HOUR }];
    expect(kinds({ senders: [{ ...senders[0], lastUsedAt: NOW - MINUTE } as (typeof senders)[0]] })).toEqual([
      'rotation_ending',
      'clock_drift',
    ]);
    expect(kinds({ senders, recent, rejections: [rejected(1, 30 * MINUTE)] })).toEqual(['sender_broken']);
  });

  test('names the reason and the mistake', () => {
    const [found] = problems({
      senders: silentFor(2 * HOUR),
      rejections: [rejected(7, HOUR), rejected(2, HOUR, { reason: 'signature_missing' })],
      recent,
    });
    expect(found).toMatchObject({
      since: NOW - 2 * HOUR,
      facts: {
        formId: 'form_1',
        surface: '1b',
        rejections: 9,
        reason: 'signature_mismatch',
        mistake: 'secret_previous',
      },
    });
    if (!found) return;
    const { title, lines } = describeOpened({ ...found, facts: { ...found.facts, formName: 'Contact' } });
    expect(title).toBe('Leads to “Contact” are being rejected');
    expect(lines.join(' ')).toContain(
      'arrived on 16 Nov 2026, 10:00 UTC. Since then, we rejected 9 requests.',
    );
    expect(lines.join(' ')).toMatch(/What to do: \w/);
  });

  test('a revoked token is noticed while another token of the form works', () => {
    const senders = [...silentFor(2 * HOUR, 'token#old'), ...silentFor(MINUTE, 'token#new')];
    const rejections = [rejected(1, HOUR, { surface: '1a', reason: 'token_revoked' })];
    expect(problems({ senders, rejections })).toMatchObject([
      { kind: 'sender_broken', subject: 'token#old' },
    ]);
    expect(kinds({ senders, rejections: [rejected(9, HOUR, { ...proved, surface: '1a' })] })).toEqual([]);
  });

  test('stays open until a lead is accepted, and not until its rejections are forgotten', () => {
    const lastAcceptedAt = new Date(NOW - 3 * DAY).toISOString();
    const open: OpenAlerts = new Map([
      ['sender_broken#form_1#1b', { since: NOW - 3 * DAY, facts: { formId: 'form_1', lastAcceptedAt } }],
    ]);
    expect(kinds({ senders: silentFor(3 * DAY) }, { open })).toEqual(['sender_broken']);
    expect(kinds({ senders: silentFor(MINUTE) }, { open })).toEqual([]);
  });
});

describe('silence', () => {
  test('is found after far longer than the usual gaps, and not before', () => {
    const after = (unusualGap(busy) / 10) * HOUR;
    expect(kinds({ senders: silentFor(after * 0.9), baselines: usual })).toEqual([]);
    expect(kinds({ senders: silentFor(after * 1.1), baselines: usual })).toEqual(['silence']);
  });

  test('is not reported for a form that is new, or about which a broken sender is reported', () => {
    const counts = [{ hour: NOW / HOUR - 5, accepted: 90 }];
    const young = buildBaseline('form_1#1b', counts, NOW) as Baseline;
    expect(kinds({ senders: silentFor(4 * HOUR), baselines: new Map([['form_1#1b', young]]) })).toEqual([]);
    const rejections = [rejected(3, HOUR)];
    expect(kinds({ senders: silentFor(5 * HOUR), rejections, baselines: usual })).toEqual(['sender_broken']);
  });

  test('is judged by surface: a token that works does not hide a silent webhook', () => {
    const senders = [...silentFor(5 * HOUR), ...silentFor(MINUTE, 'token#tok_1')];
    const baselines = new Map([...usual, ['form_1#1a', { ...busy, formSurface: 'form_1#1a' }]]);
    const [found, ...others] = problems({ senders, baselines });
    expect(found).toMatchObject({
      kind: 'silence',
      subject: 'form_1#1b',
      facts: { surface: '1b', expectedLeads: 50 },
    });
    expect(others).toEqual([]);
    expect(found && describeOpened(found).title).toBe(
      'No leads from the webhook of a form for an unusually long time',
    );
    // A broken token takes the place of its own silence only.
    const rejections = [rejected(3, HOUR, { surface: '1a', reason: 'token_revoked' })];
    const both = [...silentFor(5 * HOUR), ...silentFor(5 * HOUR, 'token#tok_1')];
    expect(problems({ senders: both, baselines, rejections }).map(({ subject }) => subject)).toEqual([
      'form_1#1a',
      'form_1#1b',
    ]);
  });

  test('is not found for two weeks in the hour by which clocks have changed', () => {
    const silentAt = (at: string, ago: number) => {
      const now = Date.parse(at);
      const senders = [{ sender: 'secret#form_1#current', formId: 'form_1', lastUsedAt: now - ago }];
      return problems({ senders, baselines: usual }, { now }).map(({ facts }) => facts.expectedLeads);
    };
    const [due, later] = [2 * HOUR, 3 * HOUR];
    expect(silentAt('2026-10-23T12:00:00Z', due)).toEqual([20]);
    expect(silentAt('2026-10-25T12:00:00Z', due)).toEqual([]);
    expect(silentAt('2026-10-25T12:00:00Z', later)).toEqual([20]);
    expect(silentAt('2026-03-29T12:00:00Z', due)).toEqual([]);
    // In North America a week later than in Europe.
    expect(silentAt('2026-11-14T12:00:00Z', due)).toEqual([]);
    expect(silentAt('2026-11-15T12:00:00Z', due)).toEqual([20]);
  });

  test('follows the factor of the owner', () => {
    const settings = { ...DEFAULT_SETTINGS, silence: { enabled: true, factor: 5 } };
    const facts = { senders: silentFor(4 * HOUR), baselines: usual };
    expect(kinds(facts)).toEqual(['silence']);
    expect(kinds(facts, { settings })).toEqual([]);
  });
});
