/** Who did something about a lead, and when. */
export interface Opened {
  readonly at: string;
  /** `member:<id>` or `key:<id>`, as in a review. */
  readonly by: string;
}

/** The note is personal data: it is never logged. */
export interface Handled extends Opened {
  readonly note?: string | undefined;
}

/** A handled lead has been opened too. */
export interface Followed {
  /** By the first who looked at it. */
  readonly opened?: Opened | undefined;
  readonly handled?: Handled | undefined;
}

export type LeadStatus = 'new' | 'open' | 'handled';

export function statusOf({ opened, handled }: Followed): LeadStatus {
  if (handled) return 'handled';
  return opened ? 'open' : 'new';
}
