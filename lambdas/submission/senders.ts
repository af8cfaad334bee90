import type { FieldConfiguration, LeadFields } from '../scoring/lead-text.ts';
import { findRoles, rolesToKeep } from '../scoring/roles.ts';
import type { Score } from '../scoring/score-lead.ts';
import { type Sender, senderOf } from '../scoring/sender.ts';

export type SenderStatus = 'trusted' | 'blocked';

export interface SenderEntry {
  readonly status: SenderStatus;
  readonly addedAt: string;
  /** The lead whose review added it. Absent if the owner added it by hand. */
  readonly leadId?: string | undefined;
}

/** The workspace's trusted and blocked senders, by address (`ada@acme.example`) or domain (`acme.example`). */
export type SenderList = Readonly<Record<string, SenderEntry>>;

/**
 * The list is a second item of Workspaces. The workspace's own item is written with every submission and must stay
 * small; this one is read only when configuration is read.
 */
export function sendersKey(workspaceId: string): { readonly workspaceId: string } {
  return { workspaceId: `senders#${workspaceId}` };
}

/** What the list says about a sender. An entry for the address comes before one for its domain. */
export function findSender(list: SenderList, { address, domain }: Sender): SenderStatus | undefined {
  const entry = [address, domain].find((each) => Object.hasOwn(list, each));
  return entry === undefined ? undefined : list[entry]?.status;
}

/** A score as it is stored: the list may have overridden `clean`. */
export interface ListedScore extends Score {
  /** Present if the sender was on the workspace's list when the lead was received. */
  readonly sender?: SenderStatus;
  /** What scoring said. Present where `clean` may be something else. */
  readonly scoredClean?: boolean;
}

/** The list overrides `clean` and never the score. Reads the lead again only if the workspace has a list. */
export function applySenderList(
  score: Score,
  list: SenderList | undefined,
  fields: LeadFields,
  configuration: readonly FieldConfiguration[] = [],
): ListedScore {
  if (list === undefined) return score;
  const sender = senderOf(fields, configuration);
  const status = sender && findSender(list, sender);
  if (status === undefined) return score;
  const clean = status === 'trusted';
  return {
    ...score,
    ...(clean && !score.clean && rolesFor(fields, configuration)),
    clean,
    sender: status,
    scoredClean: score.clean,
  };
}

/** The roles that enrichment needs, which scoring keeps only with leads that it finds clean. */
export function rolesFor(fields: LeadFields, configuration: readonly FieldConfiguration[]) {
  return configuration[0] ? rolesToKeep(fields, findRoles(fields, configuration)) : undefined;
}

export const VERDICTS = ['good', 'spam'] as const;
export type LeadVerdict = (typeof VERDICTS)[number];

/** What the owner said about a lead. */
export interface Review {
  readonly verdict: LeadVerdict;
  readonly at: string;
}

interface Judged {
  readonly clean: boolean;
  readonly sender?: SenderStatus | undefined;
  readonly scoredClean?: boolean | undefined;
}

/** Whether the lead would be clean without a review. */
export function cleanUnreviewed({ clean, sender, scoredClean }: Judged): boolean {
  return sender === undefined ? (scoredClean ?? clean) : sender === 'trusted';
}
