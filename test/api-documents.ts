import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

// Kept, because parsing the larger document takes a second, and many test files read it.
const documents = new Map<string, unknown>();

/** A document in docs/api, as it was parsed. Do not change it. */
export function readApiDocument<Document>(name: 'ingest' | 'settings'): Document {
  const file = new URL(`../docs/api/${name}.openapi.yaml`, import.meta.url);
  if (!documents.has(name)) documents.set(name, parse(readFileSync(file, 'utf8')));
  return documents.get(name) as Document;
}
