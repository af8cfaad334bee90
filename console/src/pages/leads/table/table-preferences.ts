export interface TablePreferences {
  /** The ids of the columns shown, in their order. */
  readonly columns: readonly string[];
  readonly wrapLines: boolean;
}

type Store = Pick<Storage, 'getItem' | 'setItem'>;

const keyOf = (formId: string) => `lead-ingest.columns.${formId}`;

/** What the owner chose for this form in this browser. Names of columns, never anything that was in one. */
export function rememberedPreferences(store: Store, formId: string): TablePreferences | undefined {
  try {
    const kept: unknown = JSON.parse(store.getItem(keyOf(formId)) ?? 'null');
    return isPreferences(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

export function rememberPreferences(store: Store, formId: string, preferences: TablePreferences): void {
  try {
    store.setItem(keyOf(formId), JSON.stringify(preferences));
  } catch {
    // A full or forbidden store: the choice holds until the page is left.
  }
}

function isPreferences(value: unknown): value is TablePreferences {
  if (typeof value !== 'object' || value === null) return false;
  const { columns, wrapLines } = value as Partial<TablePreferences>;
  return (
    typeof wrapLines === 'boolean' && Array.isArray(columns) && columns.every((id) => typeof id === 'string')
  );
}
