import { longestText } from '../../scoring/content-signals.ts';
import { wordsIn } from '../../scoring/learned.ts';
import type { SortedEntries } from '../../scoring/roles.ts';

/** What stands in a lead besides its message. */
export interface TypedValues {
  /** Words of names, companies, addresses, numbers and websites. */
  readonly personal: ReadonlySet<string>;
  /** Short values of all other fields: choices, and perhaps a street or an order number. */
  readonly others: readonly string[];
}

const MAX_LENGTH = 80;

export function readTypedValues(sorted: SortedEntries): TypedValues {
  const message = longestText(sorted);
  const byLook = new Set<string>();
  for (const [role, field] of Object.entries(sorted.roles)) if (role !== 'message') byLook.add(field.value);
  // Signatures have addresses and links as well.
  const personal = message.split(/\s/).filter((part) => /@|＠|:\/\/|www\./i.test(part));
  const others: string[] = [];
  for (const [{ value }, role] of sorted.byRole) {
    if (value === message) continue;
    if ((role !== undefined && role !== 'message') || byLook.has(value)) personal.push(value);
    else if (value.length <= MAX_LENGTH) others.push(value.toLowerCase());
  }
  return { personal: new Set(personal.flatMap(lettersIn)), others };
}

/** `ada.byron85@engines.example` has the words ada, byron, engines and example. */
const lettersIn = (value: string) => wordsIn(value.replace(/[@＠+\d]/g, ' '));

/** The shortest name that is recognized with an ending: Schmidt in Schmidts. */
const MIN_STEM = 4;
const MAX_ENDING = 2;

/**
 * Tells which words could be personal data: those of a name, a company, an address or a number in any of the leads, and
 * of other values, unless so many senders have the same value that it is a choice of the form.
 */
export function personalWords(
  leads: readonly { readonly sender: string; readonly values: TypedValues }[],
  sendersOfChoice: number,
): (word: string) => boolean {
  const sendersOf = new Map<string, Set<string>>();
  for (const { sender, values } of leads) {
    for (const value of values.others) {
      const senders = sendersOf.get(value) ?? new Set();
      sendersOf.set(value, senders.add(sender));
    }
  }
  const personal = new Set(leads.flatMap(({ values }) => [...values.personal]));
  for (const [value, senders] of sendersOf) {
    if (senders.size < sendersOfChoice) for (const word of lettersIn(value)) personal.add(word);
  }
  return (word) => {
    for (let ending = 0; ending <= MAX_ENDING; ending += 1) {
      const stem = word.slice(0, word.length - ending);
      if (personal.has(stem) && (ending === 0 || stem.length >= MIN_STEM)) return true;
    }
    return false;
  };
}
