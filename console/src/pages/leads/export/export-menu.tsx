import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import type { ExportFormat } from './use-export.ts';

interface ExportMenuProps {
  readonly isFiltered: boolean;
  readonly busy: boolean;
  readonly onExport: (format: ExportFormat) => void;
}

export function ExportMenu({ isFiltered, busy, onExport }: ExportMenuProps) {
  const which = isFiltered ? 'All leads that match the filter' : 'All leads of this form';
  return (
    <ButtonDropdown
      loading={busy}
      loadingText="Exporting"
      items={[
        {
          text: which,
          items: [
            {
              id: 'csv',
              text: 'CSV',
              secondaryText: 'For spreadsheets: a column for each key, nested values as JSON in the last one',
            },
            {
              id: 'ndjson',
              text: 'NDJSON',
              secondaryText: 'For programs: a line for each lead, body as sent',
            },
          ],
        },
      ]}
      onItemClick={({ detail }) => onExport(detail.id as ExportFormat)}
    >
      Export
    </ButtonDropdown>
  );
}
