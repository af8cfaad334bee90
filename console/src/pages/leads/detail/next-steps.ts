import type { Form, Lead } from '#console/api/types.ts';

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
