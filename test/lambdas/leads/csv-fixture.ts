/**
 * RFC 4180 read character by character and strictly: records end with CRLF, a quote opens a cell only at its
 * beginning, and every record has as many cells as the first.
 */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at += 1; ; at += 1) {
        if (at >= text.length) throw new Error('a quoted cell does not end');
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') {
          cell += '"';
          at += 1;
        } else break;
      }
      at += 1;
    } else {
      for (; at < text.length && text[at] !== ',' && text[at] !== '\r'; at += 1) {
        if (text[at] === '"' || text[at] === '\n') throw new Error(`a bare ${JSON.stringify(text[at])}`);
        cell += text[at];
      }
    }
    record.push(cell);
    if (text[at] === ',') {
      at += 1;
      // A comma at the very end of a record is followed by an empty cell.
      if (text[at] === '\r' && text[at + 1] === '\n') {
        record.push('');
      } else continue;
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error('a record does not end with CRLF');
    at += 2;
    if (records[0] && records[0].length !== record.length) throw new Error('records differ in length');
    records.push(record);
    record = [];
  }
  return records;
}

const fact = (value: unknown) => ({ value, source: 'body' });
const guess = (value: unknown) => ({ value, source: 'top-level-domain', confidence: 'low' });

/** Written out: the names of the columns are an interface, so a change must be noticed. With a fact, and its cell. */
export const FACT_COLUMNS = [
  ['enrichment_first_name', { firstName: fact('Ada') }, 'Ada'],
  ['enrichment_last_name', { lastName: fact('=1+1') }, "'=1+1"],
  ['enrichment_email', { email: fact('ada+news@acme.de') }, 'ada+news@acme.de'],
  ['enrichment_mailbox', { mailbox: fact('ada@acme.de') }, 'ada@acme.de'],
  ['enrichment_email_domain', { emailDomain: fact('acme.de') }, 'acme.de'],
  ['enrichment_mail_class', { mailClass: fact('company') }, 'company'],
  ['enrichment_mail_provider', { mailProvider: fact('Google Workspace') }, 'Google Workspace'],
  ['enrichment_mail_hosts', { mailHosts: fact(['mx1.acme.de', 'mx2.acme.de']) }, 'mx1.acme.de mx2.acme.de'],
  ['enrichment_phone', { phone: fact('+493012345678') }, '+493012345678'],
  ['enrichment_phone_country', { phoneCountry: fact('DE') }, 'DE'],
  ['enrichment_phone_type', { phoneType: fact('mobile') }, 'mobile'],
  ['enrichment_country', { country: guess('AT') }, 'AT'],
  ['enrichment_time_zone', { timeZone: guess('Europe/Vienna') }, 'Europe/Vienna'],
  ['enrichment_company', { company: fact('Acme; =2') }, "Acme;' =2"],
  ['enrichment_company_website', { companyWebsite: fact('https://acme.de') }, 'https://acme.de'],
  ['enrichment_language', { language: fact('de') }, 'de'],
  ['enrichment_low_confidence', {}, 'country timeZone'],
  [
    'enrichment_other',
    { 'provider.size': fact(250), 'provider.public': fact(false) },
    '{"provider.size":250,"provider.public":false}',
  ],
] as const;
