import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Multiselect from '@cloudscape-design/components/multiselect';
import RadioGroup from '@cloudscape-design/components/radio-group';
import Select, { type SelectProps } from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useForm, useRead } from '#console/api/queries.ts';
import type { LeadPage, ListedForm } from '#console/api/types.ts';
import { FormDialog } from '#console/shared/dialogs.tsx';
import type { InboxFilter } from '../inbox/inbox-filter.ts';
import { useInboxQuery } from '../inbox/use-inbox.ts';
import { columnGroups, rememberColumns, rememberedColumns } from './export-columns.ts';
import type { ExportFormat, ExportWanted } from './use-export.tsx';

interface ExportDialogProps {
  /** Archived forms included. */
  readonly forms: readonly ListedForm[];
  readonly options: SelectProps.Options;
  readonly filter: InboxFilter;
  readonly onExport: (wanted: ExportWanted) => void;
  readonly onCancel: () => void;
}

/** Asks for the form, unless there is only one to choose, and for the format. */
export function ExportDialog({ forms, options, filter, onExport, onCancel }: ExportDialogProps) {
  const [formId, setFormId] = useState(filter.form ?? (forms.length === 1 ? forms[0]?.formId : undefined));
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [columns, setColumns] = useState(() => chosenBefore(formId));
  const [isMissing, setIsMissing] = useState(false);
  const { q, form: _form, enrichment, ...query } = useInboxQuery(filter);
  const form = forms.find((one) => one.formId === formId);
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  const chooseForm = (chosen: string | undefined) => {
    setFormId(chosen);
    setColumns(chosenBefore(chosen));
    setIsMissing(false);
  };
  const submit = () => {
    if (!form) return setIsMissing(true);
    if (format === 'csv') rememberColumns(localStorage, form.formId, columns);
    const isChosen = format === 'csv' && columns.length > 0;
    onExport({
      path: `/settings/forms/${encodeURIComponent(form.formId)}/leads/export`,
      name: form.slug,
      format,
      query: { ...query, ...(isChosen && { columns: columns.join() }) },
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
        <FormField label="Form" errorText={isMissing && 'Choose a form. Each form has its own file.'}>
          <Select
            options={options}
            selectedOption={form ? { value: form.formId, label: form.name } : null}
            placeholder="Choose a form"
            onChange={({ detail }) => chooseForm(detail.selectedOption.value)}
          />
        </FormField>
        <FormField label="Format">
          <RadioGroup
            value={format}
            items={FORMATS}
            onChange={({ detail }) => setFormat(detail.value as ExportFormat)}
          />
        </FormField>
        {format === 'csv' && form && (
          <ColumnChoice key={form.formId} formId={form.formId} chosen={columns} onChoose={setColumns} />
        )}
        <Box>{isFiltered ? 'Only leads that match the filters.' : 'All leads of the form.'}</Box>
        {(q !== undefined || enrichment !== undefined) && (
          <Alert type="info">The search and the enrichment filter don’t apply to an export.</Alert>
        )}
      </SpaceBetween>
    </FormDialog>
  );
}

const chosenBefore = (formId: string | undefined) =>
  formId === undefined ? [] : rememberedColumns(localStorage, formId);

const FORMATS = [
  {
    value: 'csv',
    label: 'CSV',
    description:
      'For spreadsheets: score, enrichment and one column per key, nested values as JSON in the last column',
  },
  {
    value: 'ndjson',
    label: 'NDJSON',
    description: 'For programs: one lead per line, with the original body',
  },
];

interface ColumnChoiceProps {
  readonly formId: string;
  readonly chosen: readonly string[];
  readonly onChoose: (columns: readonly string[]) => void;
}

function ColumnChoice({ formId, chosen, onChoose }: ColumnChoiceProps) {
  const fields = useForm(formId).data?.fields ?? [];
  const path = `/settings/forms/${encodeURIComponent(formId)}/leads`;
  const recent = useRead<LeadPage>(path, { limit: 50 });
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
        statusType={recent.isPending ? 'loading' : 'finished'}
        loadingText="Loading the fields"
        filteringType="auto"
        filteringAriaLabel="Find a column"
        deselectAriaLabel={({ label }) => `Remove ${label}`}
        onChange={({ detail }) => onChoose(detail.selectedOptions.flatMap(({ value }) => value ?? []))}
      />
    </FormField>
  );
}
