import { describe, expect, test } from '@jest/globals';
import { type AlertSettings, DEFAULT_SETTINGS, type Finding } from '#alerts/alert.ts';
import { type Baseline, buildBaseline, expectedLeads, unusualGap } from '#alerts/baseline.ts';
import { type AlertState, decide } from '#alerts/decide.ts';
import { describeClosed, describeOpened } from '#alerts/describe-alert.ts';
import { findProblems } from '#alerts/rules.ts';
import { DAY, HOUR, MINUTE, type OpenAlerts, type RejectionTally, type Snapshot } from '#alerts/snapshot.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const WEBHOOK = 'secret#form_1#current';

/** Ten leads in every hour of four weeks. */
const busy = baselineOf(() => 10);

function baselineOf(accepted: (hour: number) => number): Baseline {
  const end = NOW / HOUR;
  const counts = Array.from({ length: 28 * 24 }, (_, back) => end - 1 - back)
    .map((hour) => ({ hour, accepted: accepted(hour), server: 0 }))
    .filter((count) => count.accepted > 0);
  const baseline = buildBaseline('form_1', counts, NOW);
  if (!baseline) throw new Error('no baseline');
  return baseline;
}

const quiet: Snapshot = {
  senders: [],
  baselines: new Map(),
  rejections: [],
  explained: [],
  used: { '1a': 0, '1b': 0 },
  destinations: [],
};

/** A webhook that was last accepted so long ago. */
const silentFor = (milliseconds: number, sender = WEBHOOK) => [
  { sender, formId: 'form_1', lastUsedAt: NOW - milliseconds },
];

function rejected(count: number, ago: number, more: Partial<RejectionTally> = {}): RejectionTally {
  const reason = 'signature_mismatch';
  const where = { formId: 'form_1', surface: '1b', authenticated: false } as const;
  return { ...where, at: NOW - ago, reason, count, ...more };
}

function problems(
  facts: Partial<Snapshot>,
  { settings = DEFAULT_SETTINGS, open = new Map() }: { settings?: AlertSettings; open?: OpenAlerts } = {},
): Finding[] {
  return findProblems({ ...quiet, ...facts }, { settings, open, now: NOW });
}

const kinds = (...of: Parameters<typeof problems>) => problems(...of).map(({ kind }) => kind);
const usual = new Map([['form_1', busy]]);

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
    const counts = hoursAgo.map((ago) => ({ hour: NOW / HOUR - ago, accepted: 1, server: 0 }));
    expect(buildBaseline('form_1', counts, NOW)?.young).toBe(young);
  });
});

describe('a broken sender', () => {
  const proved = { reason: 'body_invalid_json', authenticated: true } as const;
  const explained = [{ at: NOW - 30 * MINUTE, formId: 'form_1', mistake: 'secret_previous' }];

  test.each<[string, Partial<Snapshot>]>([
    [
      'whose requests are authenticated, after an hour',
      { senders: silentFor(61 * MINUTE), rejections: [rejected(3, 30 * MINUTE, proved)] },
    ],
    [
      'whose requests are authenticated, as soon as leads are missing',
      { senders: silentFor(20 * MINUTE), rejections: [rejected(1, 10 * MINUTE, proved)], baselines: usual },
    ],
    [
      'whose signature fits an old secret',
      { senders: silentFor(61 * MINUTE), rejections: [rejected(1, 30 * MINUTE)], explained },
    ],
    [
      'with a wrong secret, if the silence is unusual',
      { senders: silentFor(3 * HOUR), rejections: [rejected(3, HOUR)], baselines: usual },
    ],
    [
      'with a revoked token',
      {
        senders: silentFor(61 * MINUTE, 'token#tok_1'),
        rejections: [rejected(1, 30 * MINUTE, { surface: '1a', reason: 'token_revoked' })],
      },
    ],
  ])('%s', (_what, facts) => {
    expect(kinds(facts)).toEqual(['sender_broken']);
  });

  test.each<[string, Partial<Snapshot>]>([
    [
      'forged requests to a form whose sender works',
      { senders: silentFor(MINUTE), rejections: [rejected(5_000, 0)], baselines: usual },
    ],
    [
      'forged requests in a usual pause',
      { senders: silentFor(20 * MINUTE), rejections: [rejected(5_000, 0)], baselines: usual },
    ],
    [
      'forged requests to a form with few leads',
      { senders: silentFor(6 * DAY), rejections: [rejected(5_000, 0)] },
    ],
    [
      'rejections before the last lead',
      { senders: silentFor(61 * MINUTE), rejections: [rejected(9, 62 * MINUTE, proved)] },
    ],
    [
      'rejections on the other surface',
      { senders: silentFor(61 * MINUTE), rejections: [rejected(9, 0, { ...proved, surface: '1a' })] },
    ],
    [
      'rejections of another form',
      { senders: silentFor(61 * MINUTE), rejections: [rejected(9, 0, { ...proved, formId: 'form_2' })] },
    ],
    [
      'two malformed bodies in an hour',
      { senders: silentFor(61 * MINUTE), rejections: [rejected(2, 0, proved)] },
    ],
    [
      'a sender that was last accepted eight days ago',
      { senders: silentFor(8 * DAY), rejections: [rejected(9, 0, proved)] },
    ],
  ])('is not seen in %s', (_what, facts) => {
    expect(kinds(facts)).toEqual([]);
  });

  test('names the reason and the mistake', () => {
    const [found] = problems({
      senders: silentFor(2 * HOUR),
      rejections: [rejected(7, HOUR), rejected(2, HOUR, { reason: 'signature_missing' })],
      explained,
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
    const young = buildBaseline(
      'form_1',
      [{ hour: NOW / HOUR - 5, accepted: 90, server: 0 }],
      NOW,
    ) as Baseline;
    expect(kinds({ senders: silentFor(4 * HOUR), baselines: new Map([['form_1', young]]) })).toEqual([]);
    const rejections = [rejected(3, HOUR)];
    expect(kinds({ senders: silentFor(5 * HOUR), rejections, baselines: usual })).toEqual(['sender_broken']);
  });

  test('follows the factor of the owner', () => {
    const settings = { ...DEFAULT_SETTINGS, silence: { enabled: true, factor: 5 } };
    const facts = { senders: silentFor(4 * HOUR), baselines: usual };
    expect(kinds(facts)).toEqual(['silence']);
    expect(kinds(facts, { settings })).toEqual([]);
  });
});

describe('the other alerts', () => {
  const destination = { destinationId: 'dest_1', name: 'CRM', status: 'active' } as const;
  const old = { sender: 'secret#form_1#previous', formId: 'form_1' };

  test.each<[string, Partial<Snapshot>, string[]]>([
    ['79 % of the daily limit', { used: { '1a': 39_999, '1b': 0 } }, []],
    ['80 % of the daily limit', { used: { '1a': 40_000, '1b': 0 } }, ['daily_limit#1a#near']],
    ['the whole daily limit', { used: { '1a': 0, '1b': 50_000 } }, ['daily_limit#1b#reached']],
    ['59 minutes of failures', { destinations: [{ ...destination, failingSince: NOW - 59 * MINUTE }] }, []],
    [
      'an hour of failures',
      { destinations: [{ ...destination, failingSince: NOW - HOUR }] },
      ['destination_failing#dest_1'],
    ],
    [
      'a disabled destination',
      { destinations: [{ ...destination, status: 'disabled', disabledReason: 'gone' }] },
      ['destination_failing#dest_1'],
    ],
    [
      'a paused destination',
      { destinations: [{ ...destination, status: 'paused', failingSince: NOW - DAY }] },
      [],
    ],
    [
      'an old secret in use a day before its end',
      { senders: [{ ...old, lastUsedAt: NOW - MINUTE, endsAt: NOW + 23 * HOUR }] },
      ['rotation_ending#form_1'],
    ],
    [
      'an old secret in use two days before its end',
      { senders: [{ ...old, lastUsedAt: NOW, endsAt: NOW + 48 * HOUR }] },
      [],
    ],
    [
      'an old secret that was used hours ago',
      { senders: [{ ...old, lastUsedAt: NOW - 2 * HOUR, endsAt: NOW + HOUR }] },
      [],
    ],
    ['a clock that is 119 s slow', { senders: [{ ...old, lastUsedAt: NOW, skewSeconds: 119 }] }, []],
    [
      'a clock that is 120 s fast',
      { senders: [{ ...old, lastUsedAt: NOW, skewSeconds: -120 }] },
      ['clock_drift#form_1'],
    ],
  ])('%s', (_what, facts, expected) => {
    expect(problems(facts).map(({ kind, subject }) => `${kind}#${subject}`)).toEqual(expected);
  });

  test('the newest use of a form tells its clock', () => {
    const senders = [
      { ...old, lastUsedAt: NOW - HOUR, skewSeconds: 200 },
      { ...old, sender: WEBHOOK, lastUsedAt: NOW, skewSeconds: 1 },
    ];
    expect(kinds({ senders })).toEqual([]);
  });

  test('none is found if the owner turned all of them off', () => {
    const off = Object.entries(DEFAULT_SETTINGS).map(([name, value]) => [
      name,
      typeof value === 'number' ? value : { ...value, enabled: false },
    ]);
    const facts: Partial<Snapshot> = {
      senders: [{ ...old, lastUsedAt: NOW - 5 * HOUR, skewSeconds: 200, endsAt: NOW + HOUR }],
      baselines: usual,
      rejections: [rejected(9, 0)],
      used: { '1a': 50_000, '1b': 50_000 },
      destinations: [{ ...destination, status: 'disabled' }],
    };
    expect(kinds(facts).length).toBeGreaterThan(3);
    expect(kinds(facts, { settings: Object.fromEntries(off) as AlertSettings })).toEqual([]);
  });
});

describe('decisions', () => {
  const finding: Finding = {
    kind: 'silence',
    subject: 'form_1',
    since: NOW - 5 * HOUR,
    facts: { formId: 'form_1', lastAcceptedAt: new Date(NOW - 5 * HOUR).toISOString() },
  };
  const state: AlertState = {
    ...finding,
    alertId: 'alert_1',
    since: new Date(finding.since).toISOString(),
    openedAt: new Date(NOW - HOUR).toISOString(),
  };
  const context = { settings: DEFAULT_SETTINGS, snapshot: quiet, now: NOW };
  const closedAgo = (minutes: number) => [
    { ...state, closedAt: new Date(NOW - minutes * MINUTE).toISOString() },
  ];

  test('open what is new, and nothing twice', () => {
    expect(decide([finding], [], context).open).toEqual([finding]);
    expect(decide([finding], [state], context)).toEqual({ open: [], close: [] });
  });

  test('close nothing that a later run has opened, if an event is repeated', () => {
    const earlier = { ...context, now: Date.parse(state.openedAt) - MINUTE };
    expect(decide([], [state], earlier).close).toEqual([]);
  });

  test('keep quiet for an hour after an alert was closed', () => {
    expect(decide([finding], closedAgo(59), context).open).toEqual([]);
    expect(decide([finding], closedAgo(60), context).open).toEqual([finding]);
  });

  test.each<[string, Partial<Snapshot>, Finding[], AlertSettings, string]>([
    ['recovered, if a lead was accepted', { senders: silentFor(MINUTE) }, [], DEFAULT_SETTINGS, 'recovered'],
    ['ended, if nothing has come in', { senders: silentFor(9 * DAY) }, [], DEFAULT_SETTINGS, 'ended'],
    [
      'ended, if the owner turned the alert off',
      { senders: silentFor(MINUTE) },
      [],
      { ...DEFAULT_SETTINGS, silence: { enabled: false, factor: 1 } },
      'ended',
    ],
    [
      'superseded by a broken sender',
      {},
      [{ ...finding, kind: 'sender_broken', subject: 'form_1#1b' }],
      DEFAULT_SETTINGS,
      'superseded',
    ],
  ])('close as %s', (_what, facts, findings, settings, outcome) => {
    const { close } = decide(findings, [state], { ...context, settings, snapshot: { ...quiet, ...facts } });
    expect(close).toEqual([{ state, outcome }]);
    expect(describeClosed(state, close[0]?.outcome ?? 'ended', NOW - HOUR, NOW).lines.join(' ')).toContain(
      '60 minutes',
    );
  });
});
