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

export const VERDICTS = ['good', 'spam'] as const;
export type LeadVerdict = (typeof VERDICTS)[number];

/** What the owner said about a lead. */
export interface Review {
  readonly verdict: LeadVerdict;
  readonly at: string;
  /** `member:<id>` or `key:<id>`. Earlier versions did not store it. */
  readonly by?: string | undefined;
}

/** Whether a program decided, and no person. */
export function isByKey({ by }: Pick<Review, 'by'>): boolean {
  return by?.startsWith('key:') === true;
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
