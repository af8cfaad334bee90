import { MISTAKES, type MistakeName } from '../debugger/mistakes.ts';
import { REASON_GUIDE } from '../rejections/reason-guide.ts';
import type { RecordedReason } from '../rejections/reasons.ts';
import type { AlertFacts, AlertKind, AlertOutcome, AlertText, Finding } from './alert.ts';

/** Short texts for people who know forms and leads, and nothing of signatures. */
export function describeOpened({ kind, facts, since }: Finding): AlertText {
  return OPENED[kind](facts, since);
}

export function describeClosed(
  { kind, facts }: Pick<Finding, 'kind' | 'facts'>,
  outcome: AlertOutcome,
  openedAt: number,
  now: number,
): AlertText {
  const lasted = `This alert was open for ${duration(now - openedAt)}.`;
  if (outcome === 'recovered')
    return {
      title: `Resolved: ${RECOVERED[kind].title(facts)}`,
      lines: [RECOVERED[kind].line(facts), lasted],
    };
  return { title: `Closed: ${nameOf(facts)}`, lines: [ENDED[kind], lasted] };
}

const OPENED: Readonly<Record<AlertKind, (facts: AlertFacts, since: number) => AlertText>> = {
  sender_broken: (facts, since) => ({
    title: `Leads to ${formOf(facts)} are being rejected`,
    lines: [
      `The last lead from ${senderOf(facts)} arrived on ${moment(since)}. Since then, we rejected ${counted(facts.rejections ?? 0, 'request')}.`,
      ...(facts.expectedLeads
        ? [`About ${counted(facts.expectedLeads, 'lead')} would usually have arrived in that time.`]
        : []),
      `Reason: ${reasonOf(facts)}`,
      `What to do: ${remedyOf(facts)}`,
      'Leads that were rejected are not stored here. Ask the sender to send them again.',
    ],
  }),
  silence: (facts, since) => ({
    title: `No leads from ${formOf(facts)} for an unusually long time`,
    lines: [
      `The last lead arrived on ${moment(since)}. About ${counted(facts.expectedLeads ?? 0, 'lead')} would usually have arrived since then.`,
      'We have not rejected anything that explains it, so the sender may have stopped sending.',
      'What to do: fill in the form yourself and check that the lead arrives. If it does not, ask whoever runs the website or the sending system.',
    ],
  }),
  daily_limit: (facts) => {
    const isReached = facts.percent === 100;
    return {
      title: isReached
        ? `Daily limit reached for ${surfaceName(facts)}`
        : `${facts.percent} % of the daily limit used for ${surfaceName(facts)}`,
      lines: [
        `${number(facts.used ?? 0)} of ${number(facts.limit ?? 0)} submissions were accepted today (UTC).`,
        isReached
          ? `Every further submission with ${surfaceName(facts)} is rejected until midnight UTC.`
          : 'Once the limit is reached, every further submission is rejected until midnight UTC.',
        'What to do: check under Leads whether a campaign or a script is sending more than it should.',
      ],
    };
  },
  destination_failing: (facts, since) => ({
    title: `Leads do not reach ${destinationOf(facts)}`,
    lines: [
      facts.problem === 'gone'
        ? 'The receiver says that this address no longer exists (status 410), so we stopped sending to it.'
        : `The receiver has not accepted anything since ${moment(since)}.`,
      ...(facts.problem === 'failing' ? ['We keep the messages and retry. Nothing is lost yet.'] : []),
      'What to do: open the destination in the console, look at its latest messages, and fix the receiver or the address. Then replay what failed.',
    ],
  }),
  rotation_ending: (facts) => ({
    title: `A sender still uses the old webhook secret of ${formOf(facts)}`,
    lines: [
      `The old secret stops working on ${moment(Date.parse(facts.endsAt ?? ''))}. From then on, leads from this sender are rejected.`,
      'What to do: give the new secret to whoever runs the sending system, before that time.',
    ],
  }),
  clock_drift: (facts) => ({
    title: `The clock of the sender of ${formOf(facts)} is wrong`,
    lines: [
      `Its clock is ${counted(Math.abs(facts.skewSeconds ?? 0), 'second')} ${(facts.skewSeconds ?? 0) > 0 ? 'slow' : 'fast'}. At more than 300 seconds, its leads are rejected.`,
      'What to do: ask whoever runs the sending system to synchronize its clock (NTP).',
    ],
  }),
};

interface RecoveredText {
  readonly title: (facts: AlertFacts) => string;
  readonly line: (facts: AlertFacts) => string;
}

const RECOVERED: Readonly<Record<AlertKind, RecoveredText>> = {
  sender_broken: {
    title: (facts) => `leads to ${formOf(facts)} are accepted again`,
    line: (facts) => `A lead from ${senderOf(facts)} was accepted.`,
  },
  silence: {
    title: (facts) => `${formOf(facts)} receives leads again`,
    line: () => 'A lead was accepted.',
  },
  daily_limit: {
    title: (facts) => `daily limit for ${surfaceName(facts)}`,
    line: () => 'A new day has begun, and submissions are counted from zero again.',
  },
  destination_failing: {
    title: (facts) => `${destinationOf(facts)} works again`,
    line: () => 'What was waiting is being sent now.',
  },
  rotation_ending: {
    title: (facts) => `the old webhook secret of ${formOf(facts)} is no longer used`,
    line: () => 'No request was signed with the old secret in the last six hours.',
  },
  clock_drift: {
    title: (facts) => `the clock of the sender of ${formOf(facts)} is right again`,
    line: () => 'No action is needed.',
  },
};

const ENDED: Readonly<Record<AlertKind, string>> = {
  sender_broken:
    'We no longer watch this sender: its form or this alert was switched off, or it has not sent a lead for a week.',
  silence: 'We no longer watch this form: the form or this alert was switched off.',
  daily_limit: 'This alert was switched off.',
  destination_failing: 'The destination was paused or deleted, or this alert was switched off.',
  rotation_ending:
    'The old secret has stopped working. If a sender still uses it, its leads are rejected now.',
  clock_drift: 'The sender has not sent anything for a day, or this alert was switched off.',
};

const formOf = ({ formName }: AlertFacts) => (formName === undefined ? 'a form' : `“${formName}”`);
const destinationOf = ({ destinationName }: AlertFacts) => `“${destinationName ?? 'a destination'}”`;
const nameOf = (facts: AlertFacts) =>
  facts.destinationId === undefined
    ? facts.formId === undefined
      ? surfaceName(facts)
      : formOf(facts)
    : destinationOf(facts);
const surfaceName = ({ surface }: AlertFacts) => (surface === '1a' ? 'server tokens' : 'webhooks');

function senderOf({ surface, tokenName }: AlertFacts): string {
  if (surface === '1b') return 'its webhook';
  return tokenName === undefined ? 'its server tokens' : `the server token “${tokenName}”`;
}

function reasonOf({ reason, mistake }: AlertFacts): string {
  if (mistake !== undefined && mistake in MISTAKES) return MISTAKES[mistake as MistakeName];
  const guide = REASON_GUIDE[reason as RecordedReason];
  return guide ? `${guide.title}. ${guide.meaning}` : 'unknown';
}

function remedyOf({ reason, mistake }: AlertFacts): string {
  if (mistake !== undefined) return 'pass this reason on to whoever runs the sending system.';
  return REASON_GUIDE[reason as RecordedReason]?.remedy ?? 'look at Diagnostics in the console.';
}

/** `16 Nov 2026, 09:12 UTC` */
function moment(atMilliseconds: number): string {
  const [, day = '', month = '', year = '', time = ''] =
    /^\w+, (\d+) (\w+) (\d+) (\d+:\d+)/.exec(new Date(atMilliseconds).toUTCString()) ?? [];
  return `${Number(day)} ${month} ${year}, ${time} UTC`;
}

function duration(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 120) return counted(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? counted(hours, 'hour') : counted(Math.round(hours / 24), 'day');
}

const number = (count: number) => count.toLocaleString('en-US');
const counted = (count: number, noun: string) => `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
