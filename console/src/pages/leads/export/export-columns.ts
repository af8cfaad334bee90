const OWN_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  'own:received': ['received_at'],
  'own:score': ['score', 'grade'],
  'own:clean': ['clean'],
  'own:enrichment': ['enrichment'],
  'own:surface': ['surface'],
};

/** The table's columns as the export API takes them. Score and grade share a column in the table. */
export function exportColumns(shown: readonly string[]): string {
  return shown.flatMap((id) => OWN_COLUMNS[id] ?? keyColumn(id)).join();
}

function keyColumn(id: string): readonly string[] {
  if (!id.startsWith('key:')) return [];
  const key = id.slice('key:'.length);
  return [`body.${key.replace(/%(?=25|2C)/gi, '%25').replaceAll(',', '%2C')}`];
}
