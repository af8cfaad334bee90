import { describe, expect, test } from '@jest/globals';
import { type AlertSettings, DEFAULT_SETTINGS, type Finding } from '#alerts/alert.ts';
import { type AlertState, decide } from '#alerts/decide.ts';
import { describeClosed, describeOpened } from '#alerts/describe-alert.ts';
import { DAY, HOUR, MINUTE, type Snapshot } from '#alerts/snapshot.ts';
import { kinds, NOW, problems, quiet, rejected, silentFor, usual, WEBHOOK } from './snapshots.ts';

const destination = { destinationId: 'dest_1', name: 'CRM', status: 'active' } as const;

describe('the other alerts', () => {
  const old = { sender: 'secret#form_1#previous', formId: 'form_1' };
  const used = (surface: string, leads: number) => ({ used: { ...quiet.used, [surface]: leads } });
  const sendsTo = (health: object) => ({ destinations: [{ ...destination, ...health }] });
  const usesOld = (ago: number, more: object) => ({ senders: [{ ...old, lastUsedAt: NOW - ago, ...more }] });
  const slow = { slowSince: NOW - 2 * HOUR, lastSlowAt: NOW - HOUR };
  const FAILING = 'destination_failing#dest_1';

  test.each<[string, Partial<Snapshot>, string[]]>([
    ['79 % of the daily limit', used('1a', 39_999), []],
    ['80 % of the daily limit', used('1a', 40_000), ['daily_limit#1a#near']],
    ['the whole daily limit', used('1b', 50_000), ['daily_limit#1b#reached']],
    ['the limit of browsers', used('2', 50_000), ['daily_limit#2#reached']],
    ['59 minutes of failures', sendsTo({ failingSince: NOW - 59 * MINUTE }), []],
    ['an hour of failures', sendsTo({ failingSince: NOW - HOUR }), [FAILING]],
    ['a disabled destination', sendsTo({ status: 'disabled', disabledReason: 'gone' }), [FAILING]],
    ['a paused destination', sendsTo({ status: 'paused', failingSince: NOW - DAY }), []],
    ['an hour of slow responses', sendsTo(slow), [`${FAILING}#slow`]],
    ['one slow response, hours ago', sendsTo({ ...slow, lastSlowAt: NOW - 2 * HOUR }), []],
    ['slow responses of a destination that fails', sendsTo({ ...slow, failingSince: NOW - HOUR }), [FAILING]],
    ['a recipient who has not confirmed for an hour', sendsTo({ heldSince: NOW - HOUR }), [FAILING]],
    ['a recipient who was asked a moment ago', sendsTo({ heldSince: NOW - MINUTE }), []],
    [
      'an old secret a day before its end',
      usesOld(MINUTE, { endsAt: NOW + 23 * HOUR }),
      ['rotation_ending#form_1'],
    ],
    ['an old secret two days before its end', usesOld(0, { endsAt: NOW + 48 * HOUR }), []],
    ['an old secret that was used hours ago', usesOld(2 * HOUR, { endsAt: NOW + HOUR }), []],
    ['a clock that is 119 s slow', usesOld(0, { skewSeconds: 119 }), []],
    ['a clock that is 120 s fast', usesOld(0, { skewSeconds: -120 }), ['clock_drift#form_1']],
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

  test('a provider is a sender of its own: its leads do not hide that the webhook is silent', () => {
    const webhook = silentFor(5 * HOUR);
    const provider = { sender: 'provider#form_1#current', formId: 'form_1', lastUsedAt: NOW };
    const token = { sender: 'token#t', surface: '1c', formId: 'form_1', lastUsedAt: NOW } as const;
    const found = problems({ senders: [...webhook, provider, token], baselines: usual });
    expect(found.map(({ kind, subject }) => `${kind}#${subject}`)).toEqual(['silence#form_1#1b']);
  });

  test('a rotation of the secret of a provider does not end that of the webhook secret', () => {
    const provider = {
      sender: 'provider#form_1#previous',
      formId: 'form_1',
      lastUsedAt: NOW,
      endsAt: NOW + HOUR,
    };
    expect(kinds({ senders: [provider] })).toEqual([]);
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
      used: { '1a': 50_000, '1b': 50_000, '1c': 0, '2': 0 },
      destinations: [{ ...destination, status: 'disabled' }],
    };
    expect(kinds(facts).length).toBeGreaterThan(3);
    expect(kinds(facts, { settings: Object.fromEntries(off) as AlertSettings })).toEqual([]);
  });
});

test.each([
  ['unconfirmed', 'has not confirmed', 'works for 7 days'],
  ['stopped', 'The recipient stopped these emails', 'whose owner wants these emails'],
  ['bounced', 'does not exist', 'whose owner wants these emails'],
  ['complained', 'marked an email as spam', 'whose owner wants these emails'],
])('an alert about a recipient says that it is %s, and what to do', (problem, reason, remedy) => {
  const destinations = [
    problem === 'unconfirmed'
      ? { ...destination, heldSince: NOW - DAY }
      : { ...destination, status: 'disabled' as const, disabledReason: problem },
  ];
  const [finding] = problems({ destinations });
  expect(finding?.facts.problem).toBe(problem);
  const { lines } = describeOpened(finding as Finding);
  expect(lines).toEqual([expect.stringContaining(reason), expect.stringContaining(remedy)]);
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
  const context = { settings: DEFAULT_SETTINGS, snapshot: quiet, isFormOff: () => false, now: NOW };
  const webhook = { sender: WEBHOOK, formId: 'form_1', lastUsedAt: NOW - MINUTE };
  const rotation = {
    kind: 'rotation_ending',
    facts: { formId: 'form_1', endsAt: new Date(NOW + HOUR).toISOString() },
  } as const;
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

  const drift = { kind: 'clock_drift' } as const;
  const uses = (more: object) => ({ senders: [{ ...webhook, ...more }] });

  test.each<[string, Partial<Finding>, Partial<Snapshot>, string, string]>([
    ['a clock that is still wrong', drift, uses({ skewSeconds: 200 }), 'ended', 'threshold'],
    ['a clock that is right', drift, uses({ skewSeconds: 2 }), 'recovered', 'right again'],
    ['a sender that is gone', drift, {}, 'ended', 'for a day'],
    ['a previous secret in use', rotation, uses({ sender: 'secret#form_1#previous' }), 'ended', 'threshold'],
    ['a previous secret that nobody uses', rotation, {}, 'recovered', 'no longer used'],
  ])('say the truth about %s', (_what, about, facts, outcome, words) => {
    const changed: AlertState = {
      ...state,
      ...about,
      since: state.since,
      facts: { ...state.facts, ...about.facts },
    };
    const [closing] = decide([], [changed], { ...context, snapshot: { ...quiet, ...facts } }).close;
    expect(closing).toMatchObject({ outcome });
    const { title, lines } = describeClosed(closing as NonNullable<typeof closing>, NOW);
    expect([title, ...lines].join(' ')).toContain(words);
  });

  test('say that the form was switched off', () => {
    const [closing] = decide([], [state], { ...context, isFormOff: () => true }).close;
    expect(closing).toMatchObject({ outcome: 'ended', cause: 'form' });
  });

  test('keep quiet for an hour after an alert was closed', () => {
    expect(decide([finding], closedAgo(59), context).open).toEqual([]);
    expect(decide([finding], closedAgo(60), context).open).toEqual([finding]);
  });

  test('replace an alert only by one that is open: while a graver one is kept quiet, the other stays', () => {
    const graver: Finding = { ...finding, kind: 'sender_broken', subject: 'form_1#1b' };
    const closedAt = new Date(NOW - 10 * MINUTE).toISOString();
    const quietOne: AlertState = { ...state, kind: 'sender_broken', subject: 'form_1#1b', closedAt };
    const old: AlertState = { ...state, ...rotation, subject: 'form_1' };
    expect(decide([graver], [old, quietOne], context)).toEqual({ open: [], close: [] });
    const later = decide([graver], [old, quietOne], { ...context, now: NOW + 50 * MINUTE });
    expect(later).toMatchObject({ open: [graver], close: [{ state: old, outcome: 'superseded' }] });
    const open: AlertState = { ...quietOne, closedAt: undefined };
    expect(decide([graver], [old, open], context).close).toMatchObject([{ outcome: 'superseded' }]);
  });

  const off = { ...DEFAULT_SETTINGS, silence: { enabled: false, factor: 1 } };
  const broken: Finding = { ...finding, kind: 'sender_broken', subject: 'form_1#1b' };

  test.each<[string, object, Finding[], AlertSettings, string]>([
    ['recovered, if a lead was accepted', silentFor(MINUTE), [], DEFAULT_SETTINGS, 'recovered'],
    ['ended, if nothing has come in', silentFor(9 * DAY), [], DEFAULT_SETTINGS, 'ended'],
    ['ended, if the owner turned the alert off', silentFor(MINUTE), [], off, 'ended'],
    ['superseded by a broken sender', [], [broken], DEFAULT_SETTINGS, 'superseded'],
  ])('close as %s', (_what, senders, findings, settings, outcome) => {
    const snapshot = { ...quiet, senders } as Snapshot;
    const { close } = decide(findings, [state], { ...context, settings, snapshot });
    expect(close).toMatchObject([{ state, outcome }]);
    const [closing] = close;
    expect(closing && describeClosed(closing, NOW).lines.join(' ')).toContain('60 minutes');
  });
});
