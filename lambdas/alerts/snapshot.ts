import type { AnySurface } from '../model/limits.ts';
import type { AlertSettings, Finding } from './alert.ts';
import type { Baseline } from './baseline.ts';

/** The last use of a server token, or of a secret of a form. Browsers have none. */
export interface SenderUse {
  /** `token#…`, `secret#…#current` or `secret#…#previous`; `provider#…` likewise. */
  readonly sender: string;
  /** Where a token was used. Unknown for uses that were noted before there were two surfaces for tokens. */
  readonly surface?: AnySurface | undefined;
  readonly formId: string;
  readonly lastUsedAt: number;
  /** By how much the sender's timestamp was off: the most in the hour before its last use. */
  readonly skewSeconds?: number | undefined;
  /** When the secret stops working. */
  readonly endsAt?: number | undefined;
}

/** Rejections of one minute. */
export interface RejectionTally {
  readonly at: number;
  readonly formId: string;
  readonly surface: AnySurface;
  readonly reason: string;
  readonly authenticated: boolean;
  readonly count: number;
}

/** One of the newest rejections, with its exact time. */
export interface RecentRejection extends Omit<RejectionTally, 'count'> {
  /** Its signature fits one of the form's secrets, except for this mistake. */
  readonly mistake?: string | undefined;
}

export interface WatchedDestination {
  readonly destinationId: string;
  readonly name: string;
  readonly status: 'active' | 'paused' | 'disabled';
  readonly disabledReason?: string | undefined;
  readonly disabledAt?: number | undefined;
  readonly failingSince?: number | undefined;
  /** When it first responded slowly, and when it last did. Absent after enough fast responses. */
  readonly slowSince?: number | undefined;
  readonly lastSlowAt?: number | undefined;
  /** Since when messages wait for the recipient's confirmation. */
  readonly heldSince?: number | undefined;
  /** Resumed, and nothing has been delivered since. */
  readonly untried?: boolean | undefined;
}

/** Everything that is known about a workspace at one moment, without its leads. */
export interface Snapshot {
  readonly senders: readonly SenderUse[];
  /** By form and surface. */
  readonly baselines: ReadonlyMap<string, Baseline>;
  readonly rejections: readonly RejectionTally[];
  readonly recent: readonly RecentRejection[];
  /** Submissions that were admitted today. */
  readonly used: Readonly<Record<AnySurface, number>>;
  readonly destinations: readonly WatchedDestination[];
  /** Forms with an authentic delivery that was refused for good, and when the last one came. */
  readonly refused: readonly { readonly formId: string; readonly at: number }[];
}

/** What is open already: it stays open under conditions of its own. */
export type OpenAlerts = ReadonlyMap<string, Pick<Finding, 'since' | 'facts'>>;

export interface Watch {
  readonly settings: AlertSettings;
  readonly open: OpenAlerts;
  readonly now: number;
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function surfaceOf({ sender, surface }: Pick<SenderUse, 'sender' | 'surface'>): AnySurface {
  if (sender.startsWith('token#')) return surface ?? '1a';
  return sender.startsWith('provider#') ? '1c' : '1b';
}

/** Whether it is the previous webhook secret of its form. */
export const isPreviousSecret = ({ sender }: Pick<SenderUse, 'sender'>) =>
  sender.startsWith('secret#') && sender.endsWith('#previous');

/** All senders of a form on one surface. Their leads are counted together. */
export const formSurfaceOf = (use: Pick<SenderUse, 'sender' | 'surface' | 'formId'>) =>
  `${use.formId}#${surfaceOf(use)}`;
