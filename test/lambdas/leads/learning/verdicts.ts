import { readFileSync } from 'node:fs';
import type { ReviewedLead } from '#leads/learning/learn.ts';
import type { Lead } from '#model/lead-item.ts';
import type { LeadVerdict, Review } from '#model/senders.ts';
import { scoreLead } from '#scoring/score-lead.ts';

export interface Said {
  readonly verdict: LeadVerdict;
  readonly body: Readonly<Record<string, unknown>>;
  readonly formId?: string;
  readonly by?: Review['by'];
  readonly test?: true;
}

/** Reviewed leads whose ids are their places in the list. */
export function toReviewed(said: readonly Said[]): ReviewedLead[] {
  return said.map(({ verdict, body, formId = 'form_one', by, test }, index) => {
    const lead: Lead = {
      leadId: `lead-${String(index).padStart(4, '0')}`,
      workspaceId: 'ws_one',
      formId,
      surface: '1a',
      receivedAt: '2026-11-15T12:00:00.000Z',
      body: JSON.stringify(body),
      ...(test && { test }),
      ...scoreLead(body),
      review: { verdict, at: '2026-11-16T12:00:00.000Z', ...(by && { by }) },
    };
    return { lead, configuration: [] };
  });
}

export const verdicts = (
  verdict: LeadVerdict,
  messages: readonly string[],
  more: Partial<Said> = {},
): Said[] =>
  messages.map((message, index) => ({
    verdict,
    body: { email: `hello@${verdict}-${index}.co.uk`, message },
    ...more,
  }));

/** Leads that scoring was trained with, so that these are no measure of it: by the form of one business each. */
export function readBatches(count: number): Map<string, Said[]> {
  const batches = new Map<string, Said[]>();
  const file = new URL('../../../../training/leads/training.jsonl', import.meta.url);
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const { batch, label, body } = JSON.parse(line);
    const leads = batches.get(batch) ?? [];
    if (leads.length === 0 && batches.size === count) continue;
    batches.set(batch, leads);
    leads.push({ verdict: label === 'good' ? 'good' : 'spam', body, formId: batch });
  }
  return batches;
}
