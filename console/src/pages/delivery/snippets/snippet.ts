import { sampleLead } from '#workspaces/sample-lead.ts';

/** What proves who sends a lead: the secret that signs it, or a server token. */
export interface Credential {
  readonly name: 'secret' | 'token';
  /** Snippets read it from the environment, since code gets shared. */
  readonly variable: string;
  /** Lines that only one of the two needs. */
  readonly ifSigned: (signed: string, otherwise?: string) => string;
}

export const SECRET: Credential = {
  name: 'secret',
  variable: 'LEAD_INGEST_SECRET',
  ifSigned: (signed) => signed,
};
export const TOKEN: Credential = {
  name: 'token',
  variable: 'LEAD_INGEST_TOKEN',
  ifSigned: (_, otherwise = '') => otherwise,
};

export interface SnippetInput {
  readonly url: string;
  /** Strings only, so it can be written in every language. */
  readonly lead: Readonly<Record<string, string>>;
}

export interface Language {
  readonly id: string;
  readonly label: string;
  readonly fileName: string;
  /** How to run the file. */
  readonly command: string;
  readonly needs: string;
  /** For code that uses the client: how to install its file. It is in no public registry. */
  readonly install?: string;
  readonly write: (input: SnippetInput, credential: Credential) => string;
}

/** A program that sends one lead, using only the standard library unless it says what to install. */
export interface Snippet extends Omit<Language, 'write'> {
  readonly write: (input: SnippetInput) => string;
}

/** The lead's entries, one per line. */
export function writeFields(
  lead: SnippetInput['lead'],
  indent: string,
  write: (key: string, value: string) => string,
): string {
  return Object.entries(lead)
    .map(([key, value]) => `${indent}${write(key, value)},\n`)
    .join('');
}

/** String literals per language: URLs and field names may contain quotes, dollars and backslashes. */

export const shellQuoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** JSON escapes are valid in JavaScript and Python. */
export const doubleQuoted = (text: string) => JSON.stringify(text.toWellFormed());

/** A plain `__proto__` key would set the prototype in JavaScript. */
export const keyOf = (key: string) => (key === '__proto__' ? `[${doubleQuoted(key)}]` : doubleQuoted(key));

/** Go rejects a byte order mark inside a file, even in a string. */
export const goQuoted = (text: string) => doubleQuoted(text).replaceAll('\ufeff', String.raw`\ufeff`);

/** For PHP and Ruby, which interpolate in double quotes. */
export const singleQuoted = (text: string) => `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;

/** Sets the credential in the environment. Has the real value only while that is shown. */
export function exportLine({ variable }: Credential, value = 'YOUR_WEBHOOK_SECRET'): string {
  return `export ${variable}=${shellQuoted(value)}`;
}

const MAX_FIELDS = 8;

/** A sample lead for this form, without the message that says it came from the console. */
export function snippetLead(fields: Parameters<typeof sampleLead>[0]): Record<string, string> {
  const { message } = sampleLead();
  const sample = Object.entries(sampleLead(fields)).slice(0, MAX_FIELDS);
  return Object.fromEntries(
    sample.map(([key, value]) => [key, value === message ? 'Please call me back.' : String(value)]),
  );
}
