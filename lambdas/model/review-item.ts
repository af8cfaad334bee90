import type { LeadVerdict } from './senders.ts';

/** The partition of the index by form that lists a workspace's reviewed leads. No form has such an id. */
export function reviewsOf(workspaceId: string): string {
  return `reviews#${workspaceId}`;
}

export interface ReviewNote {
  readonly leadId: string;
  readonly workspaceId: string;
  readonly formId: string;
  readonly score: number;
  /** After the review. */
  readonly clean: boolean;
  /** `none` withdraws the verdict. The item stays, so that the change is announced. */
  readonly verdict: LeadVerdict | 'none';
  readonly at: string;
  /** Whether the verdict made a lead clean that was not: it is now enriched and forwarded. */
  readonly madeClean: boolean;
  /** The lead's own expiry. */
  readonly expiresAt?: number | undefined;
}

/** Written together with the lead, for the stream's readers and to list reviewed leads. */
export function toReviewItem({ workspaceId, formId, madeClean, ...note }: ReviewNote) {
  return {
    ...note,
    part: 'review',
    workspaceId,
    form: formId,
    formId: reviewsOf(workspaceId),
    ...(madeClean && { madeClean }),
    v: 1,
  };
}
