import { toText } from './bytes.ts';
import type { Unknown } from './words.ts';

const WHY: Readonly<Record<Unknown['why'], string>> = {
  unset: 'which has no value in the text',
  run: 'which can be known only by running the text, and nothing is run here',
  shell: 'which only the shell can fill in',
};

/** Names what has to be filled in first. */
export function unknownIn(
  where: string,
  words: readonly { readonly unknown: readonly Unknown[] }[],
): string[] {
  const unknown = words.flatMap((word) => word.unknown);
  return [...Map.groupBy(unknown, ({ why }) => why)].map(([why, those]) => {
    const names = [...new Set(those.map(({ text }) => toText(text)))];
    const remedy =
      names.length === 1
        ? 'Put the value that was sent in its place.'
        : 'Put the values that were sent in their place.';
    return `${where} has ${names.join(' and ')} in it, ${WHY[why]}. ${remedy}`;
  });
}
