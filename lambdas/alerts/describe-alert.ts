import { MISTAKES, type MistakeName } from '../debugger/mistakes.ts';
import type { RecordedReason } from '../model/reasons.ts';
import { type ReasonGuide, reasonGuide } from '../rejections/reason-guide.ts';
import { type AlertFacts, type AlertKind, type AlertText, type Finding, momentText } from './alert.ts';
import type { Closing } from './decide.ts';
import { DAY } from './snapshot.ts';

/** Short texts for people who know forms and leads, and nothing of signatures. */
export function describeOpened({ kind, facts, since }: Finding): AlertText {
  return OPENED[kind](facts, since);
}

export function describeClosed({ state, outcome, cause }: Closing, now: number): AlertText {
  const { kind, facts } = state;
  const lasted = `This alert was open for ${duration(now - Date.parse(state.openedAt))}.`;
  if (outcome === 'recovered') {
    const { title, line } = RECOVERED[kind];
    return { title: `Resolved: ${title(facts)}`, lines: [...line(facts), lasted] };
  }
  const { title } = OPENED[kind](facts, Date.parse(state.since));
  const why = cause === 'other' ? ENDED[kind] : ENDED_BY_OWNER[cause];
  return { title: `No longer watched: ${title}`, lines: [why, lasted] };
}

const ENDED_BY_OWNER: Readonly<Record<'form' | 'settings', string>> = {
  form: 'The form was archived or deactivated.',
  settings: 'This alert was turned off, or its threshold was changed.',
};

const OPENED: Readonly<Record<AlertKind, (facts: AlertFacts, since: number) => AlertText>> = {
  sender_broken: (facts, since) =>
    facts.problem === 'refused' ? refusedDeliveries(facts, since) : brokenSender(facts, since),
  silence: (facts, since) => ({
    title: `No leads from ${formSurfaceName(facts)} for an unusually long time`,
    lines: [
      `The last lead arrived on ${momentText(since)}. About ${counted(facts.expectedLeads ?? 0, 'lead')} would usually have arrived since then.`,
      'We have not rejected anything that explains it, so the sender may have stopped sending.',
      'What to do: Fill in the form yourself and check that the lead arrives. If it does not, ask the person who runs the website or the sending system.',
    ],
  }),
  daily_limit: (facts) => {
    const isReached = facts.percent === 100;
    const ends = Date.parse(facts.endsAt ?? '');
    return {
      title: isReached
        ? `Daily limit reached for ${surfaceName(facts)}`
        : `${facts.percent} % of the daily limit used for ${surfaceName(facts)}`,
      lines: [
        `${number(facts.used ?? 0)} of ${number(facts.limit ?? 0)} submissions were accepted since ${momentText(ends - DAY)}.`,
        isReached
          ? `Every further submission ${sentBy(facts)} is rejected until ${momentText(ends)}.`
          : `Once the limit is reached, every further submission is rejected until ${momentText(ends)}.`,
        facts.surface === '2'
          ? 'What to do: Check under Leads whether programs are using a form of yours. If they are, turn browser sending off for it.'
          : 'What to do: Check under Leads whether a campaign or a script is sending more than it should.',
      ],
    };
  },
  destination_failing: (facts, since) =>
    facts.problem === 'slow'
      ? slowDestination(facts, since)
      : {
          title: `Leads do not reach ${destinationOf(facts)}`,
          lines: RECIPIENT_LINES[facts.problem ?? ''] ?? [
            facts.problem === 'gone'
              ? 'The receiver says that this address no longer exists (status 410), so we stopped sending to it. New leads wait here.'
              : `The receiver has not accepted anything since ${momentText(since)}.`,
            ...(facts.problem === 'failing'
              ? ['We keep retrying, and keep every message for 30 days. What fails can be sent again.']
              : []),
            'What to do: Open the destination in the console, look at its latest messages, and fix the receiver or the address. If the destination is disabled, activate it again.',
          ],
        },
  rotation_ending: (facts) => ({
    title: `A sender still uses the previous webhook secret of ${formOf(facts)}`,
    lines: [
      `The previous secret stops working on ${momentText(Date.parse(facts.endsAt ?? ''))}. From then on, leads from this sender are rejected.`,
      'What to do: Give the current secret to the person who runs the sending system, before that time.',
    ],
  }),
  clock_drift: (facts) => ({
    title: `The clock of the sender of ${formOf(facts)} is wrong`,
    lines: [
      `Its clock is ${counted(Math.abs(facts.skewSeconds ?? 0), 'second')} ${(facts.skewSeconds ?? 0) > 0 ? 'slow' : 'fast'}. At more than 300 seconds, its leads are rejected.`,
      'What to do: Ask the person who runs the sending system to synchronize its clock (NTP).',
    ],
  }),
};

const brokenSender = (facts: AlertFacts, since: number): AlertText => ({
  title: `Leads to ${formOf(facts)} are being rejected`,
  lines: [
    `The last lead from ${senderOf(facts)} arrived on ${momentText(since)}. Since then, we rejected ${counted(facts.rejections ?? 0, 'request')}.`,
    ...(facts.expectedLeads
      ? [`About ${counted(facts.expectedLeads, 'lead')} would usually have arrived in that time.`]
      : []),
    `Reason: ${reasonOf(facts)}`,
    `What to do: ${remedyOf(facts)}`,
    facts.surface === '1c'
      ? 'Providers repeat what was rejected for some hours or days. Once it works, look there for leads that were given up.'
      : 'Leads that were rejected are not stored here. Ask the sender to send them again.',
  ],
});

const refusedDeliveries = (facts: AlertFacts, since: number): AlertText => ({
  title: `Leads to ${formOf(facts)} could not be stored`,
  lines: [
    `Since ${momentText(since)}, we refused ${counted(facts.rejections ?? 0, 'request')} from ${senderOf(facts)} that can never be accepted, and said not to repeat them.`,
    `Reason: ${reasonOf(facts)}`,
    `What to do: Look for these leads at the sender. ${remedyOf(facts)}`,
  ],
});

const slowDestination = (facts: AlertFacts, since: number): AlertText => ({
  title: `${destinationOf(facts)} responds slowly`,
  lines: [
    `The receiver has taken longer than 3 seconds again and again since ${momentText(since)}. Leads reach it late, because its messages are sent a few at a time.`,
    'What to do: Ask the person who runs the receiver to respond at once, and to do slow work afterwards.',
  ],
});

const NEW_ADDRESS =
  'What to do: Open the destination in the console and enter an address whose owner wants these emails.';

/** What only the recipient of email can change, by the alert's `problem`. */
const RECIPIENT_LINES: Readonly<Record<string, readonly string[]>> = {
  unconfirmed: [
    'The recipient has not confirmed that they want these emails. New leads wait here until then.',
    'What to do: Ask the recipient to use the link in our email, which works for 7 days. Send it again from the destination in the console.',
  ],
  stopped: ['The recipient stopped these emails, so we send nothing to this address any more.', NEW_ADDRESS],
  bounced: [
    'The mail server says that this address does not exist, so we stopped sending to it.',
    NEW_ADDRESS,
  ],
  complained: ['The recipient marked an email as spam, so we stopped sending to this address.', NEW_ADDRESS],
};

const acceptedAgain = (facts: AlertFacts): readonly string[] => [
  facts.surface === '1b' || (facts.surface === '1c' && facts.tokenName === undefined)
    ? `A lead from ${senderOf(facts)} was accepted.`
    : 'A lead with a server token of this form was accepted.',
  `Before that, nothing was accepted since ${momentText(Date.parse(facts.lastAcceptedAt ?? ''))}. Ask the sender to send again what was rejected in between.`,
];

interface RecoveredText {
  readonly title: (facts: AlertFacts) => string;
  readonly line: (facts: AlertFacts) => readonly string[];
}

const RECOVERED: Readonly<Record<AlertKind, RecoveredText>> = {
  sender_broken: {
    title: (facts) =>
      facts.problem === 'refused'
        ? `no more leads to ${formOf(facts)} were refused`
        : `leads to ${formOf(facts)} are accepted again`,
    line: (facts) =>
      facts.problem === 'refused'
        ? ['We refused nothing for a day. The requests from before are not stored.']
        : acceptedAgain(facts),
  },
  silence: {
    title: (facts) => `leads from ${formSurfaceName(facts)} arrive again`,
    line: () => ['A lead was accepted.'],
  },
  daily_limit: {
    title: (facts) => `daily limit for ${surfaceName(facts)}`,
    line: () => ['A new day has begun, and submissions are counted from zero again.'],
  },
  destination_failing: {
    title: (facts) =>
      facts.problem === 'slow'
        ? `${destinationOf(facts)} responds in time again`
        : `${destinationOf(facts)} works again`,
    line: () => ['What was waiting is being sent now.'],
  },
  rotation_ending: {
    title: (facts) => `the previous webhook secret of ${formOf(facts)} is no longer used`,
    line: () => ['No request was signed with the previous secret in the last six hours.'],
  },
  clock_drift: {
    title: (facts) => `the clock of the sender of ${formOf(facts)} is right again`,
    line: () => ['No action is needed.'],
  },
};

const ENDED: Readonly<Record<AlertKind, string>> = {
  sender_broken: 'No lead was accepted from this sender for a month, so we no longer expect any.',
  silence: 'We no longer expect leads from there.',
  daily_limit: 'The limit no longer applies.',
  destination_failing: 'The destination was paused or deleted.',
  rotation_ending:
    'The previous secret has stopped working. If a sender still uses it, its leads are rejected now.',
  clock_drift: 'The sender has not sent anything for a day.',
};

const formOf = ({ formName }: AlertFacts) => (formName === undefined ? 'a form' : `“${formName}”`);
const destinationOf = ({ destinationName }: AlertFacts) => `“${destinationName ?? 'a destination'}”`;
const SURFACE_NAMES = {
  '1a': 'server tokens',
  '1b': 'webhooks',
  '1c': 'providers and tools',
  '2': 'browsers',
} as const;
const surfaceName = ({ surface = '1b' }: AlertFacts) => SURFACE_NAMES[surface];
const sentBy = (facts: AlertFacts) =>
  `${facts.surface === '2' || facts.surface === '1c' ? 'from' : 'with'} ${surfaceName(facts)}`;

function senderOf({ surface, tokenName }: AlertFacts): string {
  if (surface === '1b') return 'its webhook';
  if (surface === '1c' && tokenName === undefined) return 'its provider or tool';
  return tokenName === undefined ? 'its server tokens' : `the server token “${tokenName}”`;
}

function formSurfaceName(facts: AlertFacts): string {
  if (facts.surface === undefined) return formOf(facts);
  return `${senderOf(facts).replace(/^its /, 'the ')} of ${formOf(facts)}`;
}

function reasonOf({ reason, mistake, surface }: AlertFacts): string {
  if (mistake !== undefined && mistake in MISTAKES) return MISTAKES[mistake as MistakeName];
  const guide: Partial<ReasonGuide> | undefined = reasonGuide(reason as RecordedReason, surface);
  return guide?.meaning ?? 'Unknown.';
}

function remedyOf({ reason, mistake, surface }: AlertFacts): string {
  if (mistake !== undefined) return 'Pass this reason on to the person who runs the sending system.';
  const guide: Partial<ReasonGuide> | undefined = reasonGuide(reason as RecordedReason, surface);
  return guide?.remedy ?? 'Look at Diagnostics in the console.';
}

function duration(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return counted(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? counted(hours, 'hour') : counted(Math.round(hours / 24), 'day');
}

const number = (count: number) => count.toLocaleString('en-US');
const counted = (count: number, tableKey: string) => `${number(count)} ${tableKey}${count === 1 ? '' : 's'}`;
