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

/** Written out: the names are an interface, so a change must be noticed. */
export const FACT_COLUMNS = [
  'enrichment_first_name',
  'enrichment_last_name',
  'enrichment_email',
  'enrichment_mailbox',
  'enrichment_email_domain',
  'enrichment_mail_class',
  'enrichment_mail_provider',
  'enrichment_mail_hosts',
  'enrichment_phone',
  'enrichment_phone_country',
  'enrichment_phone_type',
  'enrichment_country',
  'enrichment_time_zone',
  'enrichment_company',
  'enrichment_company_website',
  'enrichment_language',
  'enrichment_low_confidence',
  'enrichment_other',
];
