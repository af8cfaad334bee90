import { type ByteText, toText } from './bytes.ts';

/** Tells what the shell would have filled in. */
export function unknownIn(where: string, unknown: readonly ByteText[]): string[] {
  const shown = [...new Set(unknown.map((each) => toText(each)))];
  if (shown.length === 0) return [];
  return [
    `${where} has ${shown.join(' and ')} in it, which only the shell can fill in. Give the value that was sent.`,
  ];
}
