import { sampleLead } from '#settings/leads/sample-lead.ts';

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
export function writeFields(
  lead: SnippetInput['lead'],
  indent: string,
  write: (key: string, value: string) => string,
): string {
  return Object.entries(lead)
    .map(([key, value]) => `${indent}${write(key, value)},\n`)
    .join('');
}

/** Any text as a string literal of a language: addresses and field names may hold quotes, dollars and backslashes. */

export const shellQuoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** JSON's escapes mean the same in JavaScript and Python. */
export const doubleQuoted = (text: string) => JSON.stringify(text.toWellFormed());

/** Go refuses a byte order mark in the middle of a file, even inside a string. */
export const goQuoted = (text: string) => doubleQuoted(text).replaceAll('\ufeff', String.raw`\ufeff`);

/** PHP and Ruby: without the dollars, hashes and escapes that they know between double quotes. */
export const singleQuoted = (text: string) => `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;

/** Puts the secret into the environment. It can be filled in only while it is shown. */
export function exportLine(secret = 'YOUR_WEBHOOK_SECRET'): string {
  return `export ${SECRET_VARIABLE}=${shellQuoted(secret)}`;
}

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
