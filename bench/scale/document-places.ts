/** Puts each table into the place that the document has for it, between two comments that name it. */
export function fillPlaces(document: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const [start, end] = [`<!-- table ${name} -->\n`, `\n<!-- end ${name} -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`The document has no place for the table "${name}"`);
    return text.slice(0, from + start.length) + table + text.slice(to);
  }, document);
}
