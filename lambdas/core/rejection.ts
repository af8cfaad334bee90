import type { Reason } from './reasons.ts';

/** What was wrong, for the owner: sizes, skews and names, never values that a sender sent as data. */
export type RejectionDetail = Readonly<Record<string, string | number>>;

/** Whose rejection it is. Nobody's for an unknown token or slug, several workspaces' for an ambiguous slug. */
export interface Attribution {
  readonly workspaceIds: readonly string[];
  readonly formId?: string;
}

export const UNATTRIBUTED: Attribution = { workspaceIds: [] };

/** The expected way out of a submission that is not accepted. Everything else that is thrown is a defect. */
export class Rejection extends Error {
  readonly reason: Reason;
  readonly detail: RejectionDetail;

  constructor(reason: Reason, detail: RejectionDetail = {}) {
    super(reason);
    this.name = 'Rejection';
    this.reason = reason;
    this.detail = detail;
  }
}
