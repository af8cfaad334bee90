/** Of forms, destinations, tokens, API keys and workspaces. */
export const MAX_NAME_LENGTH = 100;

/**
 * Line breaks and other controls, lone surrogates, and marks that change the direction of text. In a message, a table or
 * a terminal, a name with one of them could pass for text of ours.
 */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Says what is wrong with a text of one line, as a predicate for the name of its field. */
export function lineFault(text: string): string | undefined {
  return HIDDEN.test(text)
    ? 'must not contain line breaks, control characters or marks that change the text direction'
    : undefined;
}

/** The same for a display name, after white space around it was removed. */
export function nameFault(trimmed: string): string | undefined {
  const length = [...trimmed].length;
  if (length < 1 || length > MAX_NAME_LENGTH) return `must have 1 to ${MAX_NAME_LENGTH} characters`;
  return lineFault(trimmed);
}
