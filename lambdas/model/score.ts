import type { LeadRoles } from './lead-fields.ts';
import type { SenderStatus } from './senders.ts';

/** One named finding and what it adds to the score, so that an owner sees why a lead scored as it did. */
export interface Signal {
  readonly name: string;
  readonly weight: number;
  /** The words that say so, if it is the text model's. */
  readonly words?: readonly string[];
}

export type Grade = 'A' | 'B' | 'C' | 'D';

export interface Score {
  /** 0 to 100: how many of a hundred such leads are good, where half of all are. */
  readonly score: number;
  readonly grade: Grade;
  /** Fit for enrichment: reachable, and not spam. */
  readonly clean: boolean;
  readonly signals: readonly Signal[];
  /** Present if the form's configured roles made a difference, for enrichment to use. */
  readonly roles?: LeadRoles;
}

/** A score as it is stored: the list may have overridden `clean`. */
export interface ListedScore extends Score {
  /** Present if the sender was on the workspace's list when the lead was received. */
  readonly sender?: SenderStatus;
  /** What scoring said. Present where `clean` may be something else. */
  readonly scoredClean?: boolean;
}
