import type { FieldConfiguration } from '../submission/configuration.ts';
import type { Entry } from './read-lead.ts';
import type { SortedEntries } from './roles.ts';
import type { SignalName } from './weights.ts';

/** How the form as a whole was filled in. */
export function signalsOfForm(
  sorted: SortedEntries,
  entries: readonly Entry[],
  configuration: readonly FieldConfiguration[],
): SignalName[] {
  const signals: SignalName[] = [];
  if (sorted.honeypots.some(({ value }) => isFilled(value))) signals.push('honeypot_filled');
  if (areIdentical(sorted)) signals.push('values_identical');
  if (configuration.length > 0) {
    const filled = new Set(entries.filter(({ value }) => isFilled(value)).map(({ key }) => key));
    const share = configuration.filter(({ key }) => filled.has(key)).length / configuration.length;
    if (share === 1) signals.push('complete');
    else if (share < 0.5) signals.push('incomplete');
  }
  return signals;
}

const isFilled = (value: string) => !/^(?:|false|0|off|null|undefined)$/i.test(value);

/** The same in three fields or more, and in most of them; an address counts by what stands before the `@`. */
function areIdentical({ byRole }: SortedEntries): boolean {
  const filled = byRole.filter(
    ([{ value }]) => value !== '' && !/^(?:true|false|on|off|yes|no|y|n)$/i.test(value),
  );
  const named = filled.filter(([, role]) => role !== undefined);
  const compared = (named.length >= 3 ? named : filled).slice(0, 20);
  const counts = new Map<string, number>();
  for (const [{ value }, role] of compared) {
    const folded = value.slice(0, 200).toLowerCase();
    const text = role === 'email' ? (folded.split('@', 1)[0] as string) : folded;
    counts.set(text, (counts.get(text) ?? 0) + 1);
    if (text !== folded) counts.set(folded, (counts.get(folded) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  return most >= 3 && most >= compared.length * 0.6;
}
