import { itemBytes, writeUnits } from '../../lambdas/aws/item-size.ts';
import { scoreLead } from '../../lambdas/scoring/score-lead.ts';
import { toLeadItem } from '../../lambdas/submission/lead-item.ts';

/** A transaction costs twice what its writes would cost alone. */
const IN_TRANSACTION = 2;

/** Each table's write units for one accepted lead of ordinary size, sent with a key, and clean. */
export interface SubmissionCost {
  readonly workspaces: number;
  readonly idempotency: number;
  readonly leadStored: number;
  /** The enrichment, and the check that its lead is still there. */
  readonly leadEnriched: number;
  readonly leadsByForm: number;
  readonly stats: number;
}

export function submissionCost(): SubmissionCost {
  const lead = writeUnits(itemBytes(toLeadItem(ORDINARY_LEAD)));
  return {
    workspaces: 1,
    idempotency: IN_TRANSACTION,
    leadStored: IN_TRANSACTION * lead,
    leadEnriched: IN_TRANSACTION * (lead + 1),
    leadsByForm: 1,
    // A mark and, where every lead of a batch is of another workspace, a counter.
    stats: IN_TRANSACTION * 2,
  };
}

const BODY = {
  name: 'Grace Okafor',
  email: 'grace.okafor@harbourlight.example',
  phone: '+44 20 7946 0958',
  company: 'Harbour Light Ltd',
  message: 'Please send a quote for 40 desks, delivered to Bristol in the second week of May. '.repeat(2),
};

const ORDINARY_LEAD = {
  leadId: '01997c2e-8f00-7000-8000-000000000000',
  workspaceId: 'ws_0123456789abcdefghijkl',
  formId: 'form_0123456789abcdefghijkl',
  surface: '1b',
  receivedAt: '2026-07-01T12:00:00.000Z',
  body: JSON.stringify(BODY),
  ...scoreLead(BODY),
} as const;
