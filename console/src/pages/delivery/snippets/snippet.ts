/** The environment variable that every snippet takes the secret from: code gets shared, and a secret must not be. */
export const SECRET_VARIABLE = 'LEAD_INGEST_SECRET';

export interface SnippetInput {
  readonly url: string;
  /** Only texts, so that it can be written in every language. */
  readonly lead: Readonly<Record<string, string>>;
}

/** A program that signs one lead and sends it, with nothing but the language's own libraries. */
export interface Snippet {
  readonly id: string;
  readonly label: string;
  readonly fileName: string;
  /** How to run the file. */
  readonly command: string;
  readonly needs: string;
  readonly write: (input: SnippetInput) => string;
}

/** The lead's entries, a line each. */
export function eachField(
  lead: SnippetInput['lead'],
  indent: string,
  write: (key: string, value: string) => string,
): string {
  return Object.entries(lead)
    .map(([key, value]) => `${indent}${write(key, value)},\n`)
    .join('');
}
