import CollectionPreferences from '@cloudscape-design/components/collection-preferences';
import { type Column, RECEIVED, type ShownColumn } from './lead-columns.ts';
import type { TablePreferences } from './table-preferences.ts';

interface ColumnChoiceProps {
  readonly columns: readonly Column[];
  readonly display: readonly ShownColumn[];
  /** Leads have keys that no column is for. */
  readonly moreKeys: boolean;
  readonly wrapLines: boolean;
  readonly onChoose: (preferences: TablePreferences) => void;
}

const ABOUT =
  'Remembered for this form in this browser. Labels are set on the page of the form. Nested values are no columns: they are on the page of a lead.';
const NOT_LISTED =
  'Not all keys are listed: those that few leads have, or whose names are very long, are only on the page of a lead.';

export function ColumnChoice({ columns, display, moreKeys, wrapLines, onChoose }: ColumnChoiceProps) {
  return (
    <CollectionPreferences
      title="Columns"
      confirmLabel="Apply"
      cancelLabel="Cancel"
      preferences={{ contentDisplay: display, wrapLines }}
      wrapLinesPreference={{ label: 'Wrap lines', description: 'Show values on several lines.' }}
      contentDisplayPreference={{
        title: 'Columns and their order',
        description: moreKeys ? `${ABOUT} ${NOT_LISTED}` : ABOUT,
        options: columns.map(({ id, label }) => ({ id, label, alwaysVisible: id === RECEIVED })),
        enableColumnFiltering: columns.length > 15,
      }}
      onConfirm={({ detail }) => {
        const shown = (detail.contentDisplay ?? display).filter(({ visible }) => visible);
        onChoose({ columns: shown.map(({ id }) => id), wrapLines: detail.wrapLines ?? false });
      }}
    />
  );
}
