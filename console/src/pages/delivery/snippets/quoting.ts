/** Any text as a string literal of a language: addresses and field names may hold quotes, dollars and backslashes. */

export const inShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** JSON's escapes mean the same in JavaScript and Python. */
export const inDoubleQuotes = (text: string) => JSON.stringify(text.toWellFormed());

/** Go refuses a byte order mark in the middle of a file, even inside a string. */
export const inGo = (text: string) => inDoubleQuotes(text).replaceAll('\ufeff', String.raw`\ufeff`);

/** PHP and Ruby: without the dollars, hashes and escapes that they know between double quotes. */
export const inSingleQuotes = (text: string) => `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;
