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
