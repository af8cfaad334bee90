import type { AnySurface } from '../model/limits.ts';

export const ALERT_KINDS = [
  'sender_broken',
  'silence',
  'daily_limit',
  'destination_failing',
  'rotation_ending',
  'clock_drift',
] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

/** Why an alert was closed. `superseded`: a graver alert took its place, so nobody is told that it closed. */
export type AlertOutcome = 'recovered' | 'ended' | 'superseded';

/** What an alert is about, and the numbers behind it. Never anything that a lead contains. */
export interface AlertFacts {
  readonly formId?: string | undefined;
  readonly formName?: string | undefined;
  readonly surface?: AnySurface | undefined;
  /** The name of the server token, if it is only one. */
  readonly tokenName?: string | undefined;
  readonly destinationId?: string | undefined;
  readonly destinationName?: string | undefined;
  /** Of a destination: `failing`, `slow`, or why it was disabled. Of a sender: `refused`, if it was told not to repeat. */
  readonly problem?: string | undefined;
  readonly lastAcceptedAt?: string | undefined;
  readonly rejections?: number | undefined;
  /** The most frequent reason of the rejections. */
  readonly reason?: string | undefined;
  /** The mistake that the signature debugger found. */
  readonly mistake?: string | undefined;
  /** How many leads would usually have come in since then. */
  readonly expectedLeads?: number | undefined;
  readonly used?: number | undefined;
  readonly limit?: number | undefined;
  readonly percent?: number | undefined;
  readonly endsAt?: string | undefined;
  readonly skewSeconds?: number | undefined;
}

/** Something that is wrong now. */
export interface Finding {
  readonly kind: AlertKind;
  /** Together with the kind it identifies the incident. */
  readonly subject: string;
  /** Since when, as far as is known. */
  readonly since: number;
  readonly facts: AlertFacts;
}

/** A text for people: a headline, and a few short lines. */
export interface AlertText {
  readonly title: string;
  readonly lines: readonly string[];
}

/** One incident, as it is kept and shown. Its texts are written once, so that a message never changes. */
export interface Alert {
  readonly alertId: string;
  readonly workspaceId: string;
  readonly kind: AlertKind;
  readonly subject: string;
  readonly since: string;
  readonly openedAt: string;
  readonly closedAt?: string | undefined;
  readonly outcome?: AlertOutcome | undefined;
  readonly facts: AlertFacts;
  readonly opened: AlertText;
  readonly closed?: AlertText | undefined;
  /** Who said first that they have seen it, by id alone. */
  readonly seen?: SeenBy | undefined;
}

export interface SeenBy {
  readonly at: string;
  readonly kind: Actor['kind'];
  readonly id: string;
}

/** Who asks, as in a principal. */
export interface Actor {
  readonly kind: 'user' | 'key';
  readonly id: string;
}

export const alertKey = ({ kind, subject }: Pick<Finding, 'kind' | 'subject'>) => `${kind}#${subject}`;

/** What an owner can change. Everything is on unless the owner turns it off. */
export interface AlertSettings {
  /** After an alert was closed, the same one is not opened again for so long. */
  readonly quietMinutes: number;
  /** `afterMinutes`: for how long a sender must be silent, if nothing is known about its usual gaps. */
  readonly senderBroken: { readonly enabled: boolean; readonly afterMinutes: number };
  /** `factor`: how much longer than unusual a silence must be. */
  readonly silence: { readonly enabled: boolean; readonly factor: number };
  readonly dailyLimit: { readonly enabled: boolean; readonly percent: number };
  readonly destinationFailing: { readonly enabled: boolean; readonly afterMinutes: number };
  readonly rotationEnding: { readonly enabled: boolean; readonly withinHours: number };
  readonly clockDrift: { readonly enabled: boolean; readonly seconds: number };
}

export const DEFAULT_SETTINGS: AlertSettings = {
  quietMinutes: 60,
  senderBroken: { enabled: true, afterMinutes: 60 },
  silence: { enabled: true, factor: 1 },
  dailyLimit: { enabled: true, percent: 80 },
  destinationFailing: { enabled: true, afterMinutes: 60 },
  rotationEnding: { enabled: true, withinHours: 24 },
  clockDrift: { enabled: true, seconds: 120 },
};

/** The lowest and highest value of each number that an owner can set. */
export const SETTINGS_RANGES = {
  quietMinutes: [0, 10_080],
  senderBroken: { afterMinutes: [15, 10_080] },
  silence: { factor: [0.5, 10] },
  dailyLimit: { percent: [50, 99] },
  destinationFailing: { afterMinutes: [5, 10_080] },
  rotationEnding: { withinHours: [1, 168] },
  clockDrift: { seconds: [30, 290] },
} as const;

/** The setting of each kind. */
export const SETTING_OF = {
  sender_broken: 'senderBroken',
  silence: 'silence',
  daily_limit: 'dailyLimit',
  destination_failing: 'destinationFailing',
  rotation_ending: 'rotationEnding',
  clock_drift: 'clockDrift',
} as const satisfies Record<AlertKind, keyof AlertSettings>;

/** What leaves the service. Attributes are listed one by one, so that new ones stay inside until listed. */
export function alertView(
  { alertId, kind, since, openedAt, closedAt, outcome, ...alert }: Alert,
  reader?: Actor,
) {
  const { facts, opened, closed, seen } = alert;
  const { formId, surface, destinationId } = facts;
  return {
    alertId,
    kind,
    status: closedAt === undefined ? ('open' as const) : ('closed' as const),
    since,
    openedAt,
    closedAt,
    outcome,
    title: opened.title,
    text: opened.lines.join('\n'),
    closedTitle: closed?.title,
    closedText: closed?.lines.join('\n'),
    formId,
    surface,
    destinationId,
    facts,
    seen: seen && seenView(seen, reader),
  };
}

function seenView({ at, kind, id }: SeenBy, reader: Actor | undefined) {
  const isReader = kind === reader?.kind && id === reader.id;
  const by = isReader ? 'you' : kind === 'user' ? 'member' : 'key';
  return { at, by, byId: id } as const;
}

/** `16 Nov 2026, 09:12 UTC`: messages name the time zone, since nobody knows where they are read. */
export function momentText(atMilliseconds: number): string {
  const [, day = '', month = '', year = '', time = ''] =
    /^\w+, (\d+) (\w+) (\d+) (\d+:\d+)/.exec(new Date(atMilliseconds).toUTCString()) ?? [];
  return `${Number(day)} ${month} ${year}, ${time} UTC`;
}

const MOMENT = /(\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d UTC)/;

/** The parts of a text in order, with each moment in ISO 8601, so that the console can show it in the reader's time zone. */
export function splitMoments(text: string): ({ readonly text: string } | { readonly at: string })[] {
  // With a group in its pattern, `split` also returns what it splits at: every second part.
  return text.split(MOMENT).map((part, index) => {
    const at = index % 2 === 1 ? Date.parse(part.replace(',', '')) : Number.NaN;
    return Number.isNaN(at) ? { text: part } : { at: new Date(at).toISOString() };
  });
}
