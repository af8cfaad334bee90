import { sampleLead } from '#settings/leads/sample-lead.ts';

/** Enough to see how it goes on. */
const MOST_FIELDS = 8;

/** A lead as this form could send it. What a snippet sends does not come from the settings area, as the sample says. */
export function snippetLead(fields: Parameters<typeof sampleLead>[0]): Record<string, string> {
  const { message } = sampleLead();
  const sample = Object.entries(sampleLead(fields)).slice(0, MOST_FIELDS);
  return Object.fromEntries(
    sample.map(([key, value]) => [key, value === message ? 'Please call me back.' : String(value)]),
  );
}
