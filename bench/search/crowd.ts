import { createHash } from 'node:crypto';
import { type Lead, makeLeadId } from '#model/lead-item.ts';

export const WORKSPACE = 'ws_benchcrowd0000000';
const FIRST_MOMENT = Date.parse('2026-01-01T00:00:00Z');
const MINUTE_MS = 60_000;

const FIRST_NAMES =
  'Maria Anna James Olga Peter Laura Ahmed Chen Sofia Lukas Emma Noah Fatima Juan Mia David Elena Omar Julia Tom Nina Ivan Sara Paul Eva Hugo Lena Max Iris Karl'.split(
    ' ',
  );
const SYLLABLES =
  'ba be bo bra ca co cra da de do dra fa fe fo ga ge gra ha he ho ja jo ka ke ko kra la le lo ma me mo na ne no pa pe po pra ra re ro sa se so sta ta te to tra va ve vo wa we za'.split(
    ' ',
  );

/** The same number in 0 to 1 for the same lead and purpose, on every machine. */
function chance(n: number, purpose: string): number {
  return createHash('sha256').update(`${purpose}${n}`).digest().readUInt32BE(0) / 2 ** 32;
}

const pick = <Item>(list: readonly Item[], at: number) => list[Math.floor(at * list.length)] as Item;
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function word(seed: number, syllables: number): string {
  const parts = Array.from({ length: syllables }, (_, index) => pick(SYLLABLES, chance(seed, `s${index}`)));
  return capital(parts.join(''));
}

/** Few first names are common; there are thousands of last names, and as many companies. */
export function personAt(n: number) {
  const first = pick(FIRST_NAMES, n === 0 ? 0 : chance(n, 'first') ** 2);
  const last = word(Math.floor(chance(n, 'last') ** 1.5 * 8_000), 3);
  const company = word(10_000 + Math.floor(chance(n, 'company') ** 1.5 * 20_000), 4);
  const domain = chance(n, 'free') < 0.4 ? 'gmail.com' : `${company.toLowerCase()}.com`;
  const email = `${first}.${last}${n}@${domain}`.toLowerCase();
  const phone = `+4420${String(70_000_000 + Math.floor(chance(n, 'phone') * 9_999_999))}`;
  return { name: `${first} ${last}`, company: `${company} Ltd`, email, phone };
}

/** One per minute. */
export function leadAt(n: number): Lead {
  const at = FIRST_MOMENT + n * MINUTE_MS;
  const random = createHash('sha256').update(`id${n}`).digest().subarray(0, 10);
  const clean = chance(n, 'clean') < 0.6;
  return {
    leadId: makeLeadId(at, random),
    workspaceId: WORKSPACE,
    formId: `form_${n % 5}`,
    surface: n % 2 === 0 ? '1a' : '1b',
    receivedAt: new Date(at).toISOString(),
    body: JSON.stringify(personAt(n)),
    score: clean ? 60 + (n % 41) : n % 40,
    grade: clean ? 'B' : 'D',
    clean,
    signals: [],
  };
}
