import { topLevelScalars } from '../../../../lambdas/core/owner/top-level-scalars.ts';
import type { FormField } from '../../api/types.ts';

export interface LeadField {
  readonly key: string;
  readonly label: string;
  /** As a reader sees it; numbers with every digit that was sent. */
  readonly text: string;
}

export interface LeadFields {
  readonly fields: readonly LeadField[];
  /** Top-level keys whose values are objects or lists: those are for the body. */
  readonly nested: readonly string[];
}

/** The top-level values of a lead: in the order of the form's configuration, then as they were sent. */
export function leadFields(body: string, configured: readonly FormField[]): LeadFields {
  const scalars = topLevelScalars(body);
  const labels = new Map(configured.map(({ key, label }) => [key, label ?? key]));
  const keys = new Set([...labels.keys(), ...scalars.keys()].filter((key) => scalars.has(key)));
  return {
    fields: [...keys].map((key) => ({
      key,
      label: labels.get(key) ?? key,
      text: scalars.get(key)?.cell ?? '',
    })),
    nested: topLevelKeys(body).filter((key) => !scalars.has(key)),
  };
}

function topLevelKeys(body: string): string[] {
  try {
    return Object.keys(JSON.parse(body) as object);
  } catch {
    return [];
  }
}
