import { statusOf } from '../model/handling.ts';
import { fieldsTextOf } from '../model/lead-fields.ts';
import { keptUntil } from '../model/lead-item.ts';
import type { Principal } from '../owner-api/principal.ts';
import { explainSignal } from '../scoring/signal-words.ts';
import { topLevelScalars } from './export/lead-columns.ts';
import { deedView, whoDid, wholeDeedView } from './handling/actor.ts';
import { summaryOf } from './lead-row.ts';
import type { ErasedLead, Erasure } from './people/erase-person.ts';
import type { RelatedLeads } from './people/related-leads.ts';
import type { ListedSender } from './reviews/sender-list.ts';
import type { ShownLead } from './search/index-entry.ts';
import type { WholeLead } from './whole-leads-store.ts';

/** What leaves the service. Attributes are listed one by one, so that new ones stay inside until listed. */

/** A lead in the workspace's list. What is not known is absent. */
export function listedLead(lead: ShownLead, principal: Principal) {
  const { leadId: submissionId, formId, receivedAt, surface, score, grade, clean } = lead;
  const { enrichment, handled, review, preview, test, name, company, email, phone } = lead;
  return {
    ...{ submissionId, formId, receivedAt, surface, score, grade, clean, enrichment },
    status: statusOf(lead),
    ...(handled && { handled: deedView(handled, principal) }),
    ...(review && {
      review: { verdict: review.verdict, at: review.at, by: whoDid(review.by, principal) },
    }),
    preview,
    ...(test && { test }),
    ...{ name, company, email, phone },
  };
}

/** The other leads of a person. `email` is the lead's own: by it, everything of the person is exported and erased. */
export function relatedView({ leads, more }: RelatedLeads, email: string | undefined, principal: Principal) {
  return {
    ...(email !== undefined && { email }),
    leads: leads.map(({ sameEmail, samePhone, ...lead }) => ({
      ...listedLead(lead, principal),
      sameEmail,
      samePhone,
    })),
    more,
  };
}

export function erasureView({ erased, mentioned, unfinished }: Erasure, cursor: string) {
  const ids = ({ leadId: submissionId, formId, receivedAt }: ErasedLead) => ({
    submissionId,
    formId,
    receivedAt,
  });
  return {
    erased: erased.map(ids),
    mentioned: mentioned.map(ids),
    complete: unfinished === undefined,
    ...(unfinished !== undefined && { reason: unfinished, cursor }),
  };
}

/** A complete lead. Body and fields are text as stored: re-serialized, numbers would lose digits. */
export function wholeLead({ lead, state, enrichment }: WholeLead, principal: Principal) {
  // What the owner called spam may have been enriched before.
  const { leadId: _leadId, state: _state, ...findings } = (state !== 'skipped' && enrichment) || {};
  return {
    ...summaryOf(lead, state, topLevelScalars(fieldsTextOf(lead))),
    formId: lead.formId,
    status: statusOf(lead),
    ...(lead.opened && { opened: wholeDeedView(lead.opened, principal) }),
    ...(lead.handled && { handled: wholeDeedView(lead.handled, principal) }),
    ...(lead.expiresAt !== undefined && { keptUntil: keptUntil(lead.expiresAt) }),
    ...(lead.scoredClean !== undefined && { scoredClean: lead.scoredClean }),
    signals: lead.signals.map((signal) => ({
      name: signal.name,
      weight: signal.weight,
      explanation: explainSignal(signal),
    })),
    body: lead.body,
    ...(lead.fields !== undefined && { fields: lead.fields }),
    enrichment: { state, ...findings },
  };
}

export function listedSender({ sender, status, addedAt, leadId }: ListedSender) {
  return { sender, status, addedAt, submissionId: leadId };
}
