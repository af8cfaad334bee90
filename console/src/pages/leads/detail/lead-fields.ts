import type { FormField } from '#console/api/types.ts';
import { topLevelScalars, topLevelSources } from '#settings/leads/lead-columns.ts';
import { keyName } from '../key-name.ts';

export interface LeadField {
  readonly key: string;
  readonly label: string;
  /** As a reader sees it; numbers with every digit that was sent. */
  readonly text: string;
}

export interface LeadFields {
  readonly fields: readonly LeadField[];
  /** How those top-level keys are shown whose values are objects or lists: those are for the body. */
  readonly nested: readonly string[];
}

/** The top-level values of a lead: in the order of the form's configuration, then as they were sent. */
export function leadFields(body: string, configured: readonly FormField[]): LeadFields {
  const scalars = topLevelScalars(body);
  const labels = new Map(configured.map(({ key, label }) => [key, label]));
  const keys = new Set([...labels.keys(), ...scalars.keys()].filter((key) => scalars.has(key)));
  return {
    fields: [...keys].map((key) => ({
      key,
      label: labels.get(key) ?? keyName(key),
      text: scalars.get(key)?.cell ?? '',
    })),
    nested: [...topLevelSources(body).keys()].filter((key) => !scalars.has(key)).map(keyName),
  };
}
