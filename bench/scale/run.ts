import { readFileSync, writeFileSync } from 'node:fs';
import { fillTables, scaleTables } from './tables.ts';

/** The tables of docs/scale.md: `npm run bench:scale` prints them, `npm run bench:scale -- --write` puts them in. */

const DOCUMENT = new URL('../../docs/scale.md', import.meta.url);
const tables = scaleTables();
for (const [name, table] of Object.entries(tables)) console.log(`${name}\n\n${table}\n`);
if (process.argv.includes('--write')) {
  writeFileSync(DOCUMENT, fillTables(readFileSync(DOCUMENT, 'utf8'), tables));
}
