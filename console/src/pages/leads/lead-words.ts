import type { EnrichmentState, FailureReason } from '#enrichment/enrichment-item.ts';
import { type SignalName, WEIGHTS } from '#scoring/weights.ts';
import type { Form, Lead } from '../../api/types.ts';

export const ENRICHMENT_NAMES: Readonly<Record<EnrichmentState, string>> = {
  pending: 'Pending',
  enriched: 'Enriched',
  failed: 'Nothing found',
  skipped: 'Not enriched',
};

export const ENRICHMENT_MEANINGS: Readonly<Record<EnrichmentState, string>> = {
  pending: 'Enrichment is in progress. This page updates automatically.',
  enriched: 'Based on the submission and public sources.',
  failed: 'No additional information was found.',
  skipped: 'Only clean leads are enriched. See the score and the review for why this lead isn’t clean.',
};

const FAILURE_MEANINGS: Readonly<Record<FailureReason, string>> = {
  body_unreadable: 'The body isn’t valid JSON.',
  nothing_recognised: 'No email address, phone number, name or other known field was recognized.',
};

/** Older leads may have unknown names, which are shown as they are. */
export function failureMeaning(reason: string): string {
  return Object.hasOwn(FAILURE_MEANINGS, reason) ? FAILURE_MEANINGS[reason as FailureReason] : reason;
}

/** The display name of an unlabeled key. Invisible keys get a placeholder. */
export function keyName(key: string): string {
  if (key === '') return '(no name)';
  return /[^\s\p{C}\p{Z}]/u.test(key) ? key : `(blank name ${JSON.stringify(key)})`;
}

type Signal = Lead['signals'][number];

/** By absolute weight, largest first. */
export function sortedSignals(signals: readonly Signal[]): Signal[] {
  return signals.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
}

/** The signals that prevent a clean lead first, then the heaviest. */
export function topSignals(signals: readonly Signal[], most: number): Signal[] {
  return sortedSignals(signals)
    .toSorted((a, b) => Number(preventsClean(b.name)) - Number(preventsClean(a.name)))
    .slice(0, most);
}

/** Uses a real minus sign, for screen readers and alignment. */
export function weightText(weight: number): string {
  return weight < 0 ? `−${-weight}` : `+${weight}`;
}

export function preventsClean(name: string): boolean {
  return Object.hasOwn(WEIGHTS, name) && WEIGHTS[name as SignalName][1] === 'never clean';
}

interface NextStep {
  readonly text: string;
  readonly link: string;
  readonly href: string;
}

export type SteppedForm = Pick<Form, 'formId' | 'fields' | 'archivedAt'>;

/** Suggested next steps, most useful first. */
export function nextSteps(lead: Lead, form: SteppedForm): NextStep[] {
  if (form.archivedAt !== undefined) return [];
  const address = `/forms/${encodeURIComponent(form.formId)}`;
  const steps: NextStep[] = [];
  if (lead.test) {
    const text = 'The form works. Next, connect your sender.';
    steps.push({ text, link: 'Delivery settings and sample code', href: `${address}/delivery` });
  }
  if (form.fields.length === 0) {
    const text = 'Label your fields and set which one is the email address or phone number.';
    steps.push({ text, link: 'Configure fields', href: address });
  } else if (lead.enrichment.state === 'failed' || isMisread(lead)) {
    const text = 'If a field wasn’t recognized, set its type. This applies to new leads.';
    steps.push({ text, link: 'Check field types', href: address });
  }
  return steps;
}

const MISREADINGS = new Set(['not_reachable', 'email_malformed', 'phone_invalid', 'incomplete']);

function isMisread({ signals }: Lead): boolean {
  return signals.some(({ name }) => MISREADINGS.has(name));
}
