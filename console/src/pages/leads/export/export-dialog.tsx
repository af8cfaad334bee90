import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Multiselect from '@cloudscape-design/components/multiselect';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useRead, useWorkspace } from '#console/api/queries.ts';
import type { Form, LeadPage } from '#console/api/types.ts';
import { FormDialog } from '#console/shared/dialogs.tsx';
import { columnGroups, rememberColumns, rememberedColumns } from './export-columns.ts';
import { type Exported, exportName, whatIsExported } from './export-words.ts';
import type { ExportFormat, ExportWanted } from './use-export.tsx';

interface ExportDialogProps {
  readonly exported: Exported;
  /** If all leads are of one form: its fields can be chosen as columns. */
  readonly formId: string | undefined;
  readonly onExport: (wanted: ExportWanted) => void;
  readonly onCancel: () => void;
}

/** Says how many leads are exported, and asks for the format. */
export default function ExportDialog({ exported, formId, onExport, onCancel }: ExportDialogProps) {
  const [format, setFormat] = useState<ExportFormat>('csv');
  const store = formId ?? ALL_FORMS;
  const [columns, setColumns] = useState(() => rememberedColumns(localStorage, store));
  const workspace = useWorkspace();
  const { query, selected, count } = exported;
  const { sort: _sort, ...filters } = query;
  const submit = () => {
    if (format === 'csv') rememberColumns(localStorage, store, columns);
    const isChosen = format === 'csv' && columns.length > 0;
    const which = selected.length > 0 ? { ids: selected.join() } : filters;
    onExport({
      path: '/settings/leads/export',
      name: exportName(workspace.data?.name ?? '', new Date()),
      format,
      query: { ...which, ...(isChosen && { columns: columns.join() }) },
      total: selected.length > 0 ? selected.length : count?.exact ? count.count : undefined,
    });
  };
  return (
    <FormDialog
      title="Export leads"
      action="Export"
      busy={false}
      problem={undefined}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <SpaceBetween size="m">
        <Box>{whatIsExported(exported)}</Box>
        <FormField label="Format">
          <RadioGroup
            value={format}
            items={FORMATS}
            onChange={({ detail }) => setFormat(detail.value as ExportFormat)}
          />
        </FormField>
        {format === 'csv' && <ColumnChoice formId={formId} chosen={columns} onChoose={setColumns} />}
      </SpaceBetween>
    </FormDialog>
  );
}

/** The columns that were chosen for lists of several forms. */
const ALL_FORMS = 'all';

const FORMATS = [
  {
    value: 'csv',
    label: 'CSV',
    description: 'For spreadsheets: contact and message first, then score, enrichment and one column per key',
  },
  {
    value: 'ndjson',
    label: 'NDJSON',
    description: 'For programs: one lead per line, with the original body',
  },
];

interface ColumnChoiceProps {
  readonly formId: string | undefined;
  readonly chosen: readonly string[];
  readonly onChoose: (columns: readonly string[]) => void;
}

function ColumnChoice({ formId, chosen, onChoose }: ColumnChoiceProps) {
  const path = `/settings/forms/${encodeURIComponent(formId ?? '')}`;
  const enabled = formId !== undefined;
  const fields = useRead<Form>(path, {}, { enabled }).data?.fields ?? [];
  const recent = useRead<LeadPage>(`${path}/leads`, { limit: 50 }, { enabled });
  const groups = columnGroups(fields, recent.data?.columns ?? []);
  const known = groups.flatMap(({ options }) => options);
  return (
    <FormField
      label="Columns"
      description="All, or those you choose, in the order you choose them. Saved in this browser."
    >
      <Multiselect
        options={groups}
        selectedOptions={chosen.map((value) => known.find((one) => one.value === value) ?? { value })}
        placeholder={chosen.length === 0 ? 'All columns' : 'Add a column'}
        statusType={recent.isLoading ? 'loading' : 'finished'}
        loadingText="Loading the fields"
        filteringType="auto"
        filteringAriaLabel="Find a column"
        deselectAriaLabel={({ label }) => `Remove ${label}`}
        onChange={({ detail }) => onChoose(detail.selectedOptions.flatMap(({ value }) => value ?? []))}
      />
    </FormField>
  );
}
