import { keptUntil } from '../core/lead-retention.ts';
import { summaryOf } from '../core/owner/lead-row.ts';
import { topLevelScalars } from '../core/owner/top-level-scalars.ts';
import { explainSignal } from '../core/score/explain-signal.ts';
import type { WholeLead } from '../stores/whole-lead.ts';

/** One lead whole. The body is the text as it was sent: parsed and written anew, numbers would lose digits. */
export function wholeLead({ lead, state, enrichment }: WholeLead) {
  const { leadId: _leadId, state: _state, ...findings } = enrichment ?? {};
  return {
    ...summaryOf(lead, state, topLevelScalars(lead.body)),
    formId: lead.formId,
    ...(lead.expiresAt !== undefined && { keptUntil: keptUntil(lead.expiresAt) }),
    signals: lead.signals.map(({ name, weight }) => ({ name, weight, explanation: explainSignal(name) })),
    body: lead.body,
    enrichment: { state, ...findings },
  };
}
