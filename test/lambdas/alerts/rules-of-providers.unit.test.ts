import { describe, expect, test } from '@jest/globals';
import { DEFAULT_SETTINGS, type Finding } from '#alerts/alert.ts';
import { type AlertState, decide } from '#alerts/decide.ts';
import { describeClosed, describeOpened } from '#alerts/describe-alert.ts';
import { DAY, HOUR, MINUTE, type Snapshot } from '#alerts/snapshot.ts';
import { NEVER_ACCEPTABLE } from '#model/reasons.ts';
import { busy, NOW, problems, quiet, rejected, silentFor } from './snapshots.ts';

const PROVIDER = 'provider#form_1#current';
const subjects = (...of: Parameters<typeof problems>) =>
  problems(...of).map(({ kind, subject }) => `${kind}#${subject}`);
const ofProvider = { surface: '1c' } as const;

describe('a provider', () => {
  test('has no clock that could drift, whatever the clock of the webhook does', () => {
    const provider = { sender: PROVIDER, formId: 'form_1', lastUsedAt: NOW };
    const webhook = { ...silentFor(MINUTE)[0], sender: 'secret#form_1#current', formId: 'form_1' };
    expect(subjects({ senders: [provider] })).toEqual([]);
    const drifting = { ...webhook, lastUsedAt: NOW - MINUTE, skewSeconds: 200 };
    expect(problems({ senders: [provider, drifting] })).toMatchObject([
      { kind: 'clock_drift', facts: { surface: '1b' } },
    ]);
  });

  test('that signs with the secret from before is a broken sender after an hour', () => {
    const at = NOW - HOUR;
    const recent = [
      {
        at,
        formId: 'form_1',
        surface: '1c' as const,
        reason: 'signature_mismatch',
        authenticated: false,
        mistake: 'secret_previous',
      },
    ];
    const rejections = [rejected(1, HOUR, ofProvider)];
    const broken = { rejections, recent };
    expect(problems({ ...broken, senders: silentFor(2 * HOUR, PROVIDER) })).toMatchObject([
      { kind: 'sender_broken', subject: 'form_1#1c', facts: { mistake: 'secret_previous' } },
    ]);
    expect(subjects({ ...broken, senders: silentFor(59 * MINUTE, PROVIDER) })).toEqual([]);
  });

  test('with a signature that proves nothing is a broken sender only if its silence is unusual', () => {
    const rejections = [rejected(9, HOUR, ofProvider)];
    const senders = silentFor(5 * HOUR, PROVIDER);
    expect(subjects({ senders, rejections })).toEqual([]);
    const baselines = new Map([['form_1#1c', { ...busy, formSurface: 'form_1#1c' }]]);
    expect(subjects({ senders, rejections, baselines })).toEqual(['sender_broken#form_1#1c']);
  });

  test('is not broken by what is rejected on other surfaces', () => {
    const rejections = [rejected(9, HOUR, { authenticated: true })];
    expect(subjects({ senders: silentFor(5 * HOUR, PROVIDER), rejections })).toEqual([]);
  });

  test('beside a tool: a revoked token of the tool is noticed while the provider works', () => {
    const tool = {
      sender: 'token#old',
      surface: '1c',
      formId: 'form_1',
      lastUsedAt: NOW - 2 * HOUR,
    } as const;
    const rejections = [rejected(1, HOUR, { ...ofProvider, reason: 'token_revoked' })];
    const senders = [tool, ...silentFor(MINUTE, PROVIDER)];
    expect(problems({ senders, rejections })).toMatchObject([
      { kind: 'sender_broken', subject: 'token#old', facts: { surface: '1c' } },
    ]);
  });
});

describe('a delivery that was refused for good', () => {
  const refused = [{ formId: 'form_1', at: NOW - MINUTE }];
  const tally = (more: object = {}) =>
    rejected(1, MINUTE, { ...ofProvider, authenticated: true, reason: 'body_too_large', ...more });
  const lost: Partial<Snapshot> = { refused, rejections: [tally()] };

  test.each(NEVER_ACCEPTABLE)(
    'for %s opens an alert at once, even if other deliveries are accepted',
    (reason) => {
      const senders = silentFor(0, PROVIDER);
      expect(problems({ ...lost, senders, rejections: [tally({ reason })] })).toMatchObject([
        {
          kind: 'sender_broken',
          subject: 'form_1#1c#refused',
          facts: { formId: 'form_1', surface: '1c', problem: 'refused', rejections: 1, reason },
        },
      ]);
    },
  );

  test.each<[string, Partial<Snapshot>]>([
    ['is not counted yet', { refused }],
    ['was more than a day ago', { ...lost, refused: [{ formId: 'form_1', at: NOW - DAY - 1 }] }],
    ['was not from a known sender', { refused, rejections: [tally({ authenticated: false })] }],
    ['came on another surface', { refused, rejections: [tally({ surface: '1a' })] }],
    ['belongs to another form', { refused, rejections: [tally({ formId: 'form_2' })] }],
    ['may be accepted later', { refused, rejections: [tally({ reason: 'internal_error' })] }],
  ])('opens none if it %s', (_what, facts) => {
    expect(problems(facts)).toEqual([]);
  });

  test('is turned off with the alert about broken senders', () => {
    const settings = { ...DEFAULT_SETTINGS, senderBroken: { enabled: false, afterMinutes: 60 } };
    expect(problems(lost, { settings })).toEqual([]);
  });

  const [found] = problems(lost) as [Finding];
  const state: AlertState = {
    ...found,
    alertId: 'alert_1',
    since: new Date(found.since).toISOString(),
    openedAt: new Date(NOW - HOUR).toISOString(),
  };
  const context = { settings: DEFAULT_SETTINGS, isFormOff: () => false, now: NOW };

  test('says what happened and what to do', () => {
    const { title, lines } = describeOpened({ ...found, facts: { ...found.facts, formName: 'Contact' } });
    expect(title).toBe('Leads to “Contact” could not be stored');
    expect(lines.join(' ')).toMatch(/refused 1 request from its provider or tool.*said not to repeat/);
    expect(lines.join(' ')).toMatch(/What to do: Look for these leads at the sender\. \w/);
  });

  test('stays open for a day after the last one, then closes as recovered', () => {
    const open = new Map([['sender_broken#form_1#1c#refused', { since: found.since, facts: found.facts }]]);
    expect(subjects({ refused }, { open })).toEqual(['sender_broken#form_1#1c#refused']);
    const later = problems({ refused }, { open, now: NOW + DAY });
    expect(later).toEqual([]);
    const { close } = decide(later, [state], { ...context, snapshot: quiet, now: NOW + DAY });
    expect(close).toMatchObject([{ outcome: 'recovered' }]);
    const [closing] = close;
    expect(closing && describeClosed(closing, NOW + DAY).lines.join(' ')).toContain(
      'refused nothing for a day',
    );
  });

  test('does not take the place of silence, and gives way to a broken sender', () => {
    const silence: AlertState = {
      ...state,
      kind: 'silence',
      subject: 'form_1#1c',
      facts: { formId: 'form_1', surface: '1c' },
    };
    const snapshot = { ...quiet, ...lost };
    expect(decide([found], [silence], { ...context, snapshot }).close).not.toMatchObject([
      { outcome: 'superseded' },
    ]);
    const three = [tally({ count: 3 })];
    const findings = problems({ ...lost, senders: silentFor(2 * HOUR, PROVIDER), rejections: three });
    expect(findings.map(({ subject }) => subject)).toEqual(['form_1#1c']);
    expect(decide(findings, [state], { ...context, snapshot }).close).toMatchObject([
      { outcome: 'superseded' },
    ]);
  });
});
