import { cursor, Fault, oneOf, optional, text } from '../../owner-api/fields.ts';
import { MAX_COLUMNS } from '../lead-cursors.ts';
import { readColumnNames } from './export-columns.ts';

/** The gateway takes 10,240 bytes for the address and all headers. */
const MAX_COLUMNS_LENGTH = 2_000;

function columns(value: unknown): string[] {
  const names = readColumnNames(text({ min: 1, max: MAX_COLUMNS_LENGTH })(value));
  if (names.length > MAX_COLUMNS) throw new Fault(`can have at most ${MAX_COLUMNS} names`);
  return names;
}

/** What a request for a file may say about it. */
export const FILE = { cursor, format: optional(oneOf(['csv', 'ndjson'])), columns: optional(columns) };

export const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};
