import type { FormField } from '#console/api/types.ts';
import { topLevelScalars } from '#leads/export/lead-columns.ts';
import { topLevelSources } from '#model/json-text.ts';
import { ELAPSED_FIELD, HONEYPOT_FIELD } from '#sdk/read-lead.ts';
import { keyName } from '../lead-words.ts';

export interface LeadField {
  readonly key: string;
  readonly label: string;
  /** Display text; numbers keep every digit. */
  readonly text: string;
}

export interface LeadFields {
  readonly fields: readonly LeadField[];
  /** Display names of the top-level keys with objects or lists, which only the body shows. */
  readonly nested: readonly string[];
}

/** What the browser SDK adds. */
const ADDED_LABELS = new Map([
  [ELAPSED_FIELD, 'Time until sent, in milliseconds'],
  [HONEYPOT_FIELD, 'Hidden field'],
]);

/** The top-level values of a lead: configured keys first, then in the order sent. */
export function leadFields(body: string, configured: readonly FormField[]): LeadFields {
  const scalars = topLevelScalars(body);
  const labels = new Map(configured.map(({ key, label }) => [key, label]));
  const keys = new Set([...labels.keys(), ...scalars.keys()].filter((key) => scalars.has(key)));
  return {
    fields: [...keys].map((key) => ({
      key,
      label: labels.get(key) ?? ADDED_LABELS.get(key) ?? keyName(key),
      text: scalars.get(key)?.cell ?? '',
    })),
    nested: [...topLevelSources(body).keys()].filter((key) => !scalars.has(key)).map(keyName),
  };
}

const INDENT = '  ';
/** Fully indented, 128 KB of nested brackets would become gigabytes. */
const MAX_DEPTH_LINES = 40;

/**
 * The same JSON with one line per value, down to some depth. Works on the text, since parsing would lose digits and
 * repeated keys.
 */
export function formatJson(text: string): string {
  const tokens = text.match(/"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|[[\]{},:]|[^\s[\]{},:"]+/g) ?? [];
  const parts: string[] = [];
  let depth = 0;
  const newLine = () => depth <= MAX_DEPTH_LINES && parts.push('\n', INDENT.repeat(depth));
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    if (token === '}' || token === ']') {
      depth -= 1;
      if (before !== '{' && before !== '[') newLine();
    } else if (before === '{' || before === '[' || before === ',') {
      newLine();
    }
    parts.push(token === ':' ? ': ' : token);
    if (token === '{' || token === '[') depth += 1;
  }
  return parts.join('');
}
