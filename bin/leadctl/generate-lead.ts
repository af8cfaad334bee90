import { randomInt } from 'node:crypto';

const FIRST_NAMES =
  'Ines Tomas Amara Jonas Leila Piotr Noor Callum Saskia Mateo Yuki Freya Anton Zanele Bruno Elif'.split(' ');
const LAST_NAMES =
  'Varga Lindqvist Okonjo Brandl Haddad Nowicki Ferrante Macrae Vos Ibarra Tanabe Solberg Kozak Dlamini Prado Aydin'.split(
    ' ',
  );
const TRADES =
  'Bearings Textiles Logistics Robotics Foods Interiors Optics Packaging Hydraulics Studios'.split(' ');
const ROLES = ['Head of Operations', 'Purchasing Manager', 'Founder', 'Marketing Lead', 'Plant Engineer'];
const SOURCES = ['pricing page', 'newsletter', 'trade fair', 'search', 'recommended by a partner'];
const QUESTIONS = [
  'Could you send a quote for 40 seats, starting next quarter?',
  'We are replacing our current system and would like to see a demo in the week of the 12th.',
  'Does the integration support two-way sync, and what is the delivery time?',
  'Please call me back about the annual plan. Afternoons suit best.',
  'We have three sites and need offline access on the shop floor. Is that possible?',
  'What would the migration of about 9,000 records look like, and who does it?',
];

/**
 * A fictional lead. The domain ends in random letters, so nobody owns it, and the phone numbers are reserved for fiction
 * (London 020 7946 0xxx, North America 555-01xx).
 */
export function generateLead(pick: (below: number) => number = randomInt): Record<string, string> {
  const of = <Each>(all: readonly Each[]) => all[pick(all.length)] as Each;
  const digits = (count: number) => Array.from({ length: count }, () => pick(10)).join('');
  const letters = (count: number) =>
    Array.from({ length: count }, () => String.fromCharCode(97 + pick(26))).join('');
  const [first, last, trade] = [of(FIRST_NAMES), of(LAST_NAMES), of(TRADES)];
  const company = `${of(LAST_NAMES)} ${trade}`;
  const domain = `${company.toLowerCase().replace(' ', '-')}-${letters(6)}.com`;
  const lead: Record<string, string> = {
    name: `${first} ${last}`,
    email: `${first}.${last}@${domain}`.toLowerCase(),
    company,
    message: of(QUESTIONS),
  };
  if (pick(2) === 0) lead.phone = pick(2) === 0 ? `+44 20 7946 0${digits(3)}` : `+1 212 555 01${digits(2)}`;
  if (pick(2) === 0) lead.job_title = of(ROLES);
  if (pick(3) === 0) lead.source = of(SOURCES);
  return lead;
}
