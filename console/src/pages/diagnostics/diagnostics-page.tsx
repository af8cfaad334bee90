import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { type ReactNode, useState } from 'react';
import { ALL_SURFACES } from '#model/limits.ts';
import { REASONS } from '#model/reasons.ts';
import { REASON_GUIDE } from '#rejections/reason-guide.ts';
import { NO_FORM } from '#rejections/rejection-counts.ts';
import { useArchivedForms, useForms } from '../../api/queries.ts';
import { SURFACE_NAMES } from '../../shared/display-text.ts';
import { Term } from '../../shared/term.tsx';
import { RangeChoice } from '../../shared/time-chart.tsx';
import {
  DAY_BY_HOUR,
  findRange,
  HOUR_BY_MINUTE,
  MONTH_BY_DAY,
  WEEK_BY_DAY,
} from '../../shared/time-series.ts';
import { useUrlParameters } from '../../shared/url-parameters.ts';
import { Page } from '../../shell/page.tsx';
import { Counts } from './counts.tsx';
import { EventDialog, EventsPanel } from './events-panel.tsx';
import {
  type Filters,
  type Grouping,
  isFiltered,
  type KnownForms,
  knownForms,
  readFilters,
  readGrouping,
  readRequestId,
} from './rejections.ts';

const RANGES = [DAY_BY_HOUR, HOUR_BY_MINUTE, WEEK_BY_DAY, MONTH_BY_DAY] as const;
const SHOWN_RANGES = [HOUR_BY_MINUTE, DAY_BY_HOUR, WEEK_BY_DAY, MONTH_BY_DAY];

export default function DiagnosticsPage() {
  const [parameters, choose] = useUrlParameters();
  // Rejections are shown even if the forms can't be loaded.
  const forms = knownForms(useForms().data?.forms ?? [], useArchivedForms().data?.forms);
  const range = findRange(parameters.get('range'), RANGES);
  const filters = readFilters(parameters);
  const live = parameters.get('live') === '1';
  const requestId = parameters.get('request');
  const openRequest = (request: string | undefined) => choose({ request });
  return (
    <Page
      title="Diagnostics"
      description="See why submissions were rejected. Senders don’t see the reason."
      actions={
        <SpaceBetween direction="horizontal" size="m" alignItems="center">
          <Toggle
            checked={live}
            onChange={({ detail }) => choose({ live: detail.checked ? '1' : undefined })}
          >
            Auto-refresh
          </Toggle>
          <RangeChoice ranges={SHOWN_RANGES} chosen={range} onChoose={(id) => choose({ range: id })} />
        </SpaceBetween>
      }
    >
      <FindRequest onFind={openRequest} />
      <FilterBar forms={forms} filters={filters} split={readGrouping(parameters)} choose={choose} />
      <Counts
        key={range.id}
        range={range}
        filters={filters}
        split={readGrouping(parameters)}
        forms={forms}
        live={live}
      />
      <EventsPanel
        // Other filters start at the first page.
        key={Object.values(filters).join()}
        filters={filters}
        forms={forms}
        live={live}
        onOpen={openRequest}
      />
      {requestId && (
        <EventDialog requestId={requestId} forms={forms} onClose={() => openRequest(undefined)} />
      )}
    </Page>
  );
}

interface FilterBarProps {
  readonly forms: KnownForms;
  readonly filters: Filters;
  readonly split: Grouping;
  readonly choose: (changes: Readonly<Record<string, string | undefined>>) => void;
}

const SURFACE_OPTIONS = ALL_SURFACES.map((value) => ({ value, label: SURFACE_NAMES[value] }));
const REASON_OPTIONS = REASONS.map((value) => ({ value, label: REASON_GUIDE[value].title }));
const SPLIT_OPTIONS = [
  { value: 'surface', label: 'Received via' },
  { value: 'form', label: 'Form' },
];

function FilterBar({ forms, filters, split, choose }: FilterBarProps) {
  const { surface, form, reason } = filters;
  const listed = forms.all.map(({ formId, name }) => ({ value: formId, label: name }));
  const isListed = form === undefined || form === NO_FORM || listed.some(({ value }) => value === form);
  const formOptions = [
    ...listed,
    ...(isListed ? [] : [{ value: form, label: forms.nameOf(form) }]),
    { value: NO_FORM, label: 'No form' },
  ];
  return (
    <ColumnLayout columns={4} minColumnWidth={140}>
      <FilterChoice
        label="Received via"
        info={<Term name="received via" />}
        all="All"
        chosen={surface}
        options={SURFACE_OPTIONS}
        onChoose={(value) => choose({ surface: value })}
      />
      <FilterChoice
        label="Form"
        all="All forms"
        chosen={form}
        options={formOptions}
        onChoose={(value) => choose({ form: value })}
      />
      <FilterChoice
        label="Reason"
        all="All reasons"
        chosen={reason}
        options={REASON_OPTIONS}
        onChoose={(value) => choose({ reason: value })}
      />
      <FilterChoice
        label="Group by"
        all="Reason"
        chosen={split === 'reason' ? undefined : split}
        options={SPLIT_OPTIONS}
        onChoose={(value) => choose({ split: value })}
      />
      {isFiltered(filters) && (
        <Button
          variant="inline-link"
          onClick={() => choose({ surface: undefined, form: undefined, reason: undefined })}
        >
          Clear filters
        </Button>
      )}
    </ColumnLayout>
  );
}

interface FilterChoiceProps {
  readonly label: string;
  readonly info?: ReactNode;
  /** The option for no filter. */
  readonly all: string;
  readonly chosen: string | undefined;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChoose: (value: string | undefined) => void;
}

const ALL = '';

function FilterChoice({ label, info, all, chosen, options, onChoose }: FilterChoiceProps) {
  const every = [{ value: ALL, label: all }, ...options];
  return (
    <FormField label={label} info={info}>
      <Select
        selectedOption={every.find(({ value }) => value === (chosen ?? ALL)) ?? null}
        options={every}
        filteringType={every.length > 8 ? 'auto' : 'none'}
        onChange={({ detail }) => onChoose(detail.selectedOption.value || undefined)}
      />
    </FormField>
  );
}

/** Senders get only a request ID in a response header. Owners look up the reason with it. */
function FindRequest({ onFind }: { readonly onFind: (requestId: string) => void }) {
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState(false);
  const requestId = readRequestId(typed);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (requestId !== undefined) onFind(requestId);
      }}
    >
      <FormField
        label="Request ID"
        description="From the x-amzn-RequestId header of the response."
        errorText={
          asked &&
          requestId === undefined &&
          'Enter a request ID such as 6f1e2c9a-0b3d-4e5f-8a7b-1c2d3e4f5a6b.'
        }
        secondaryControl={<Button disabled={typed.trim() === ''}>Find request</Button>}
      >
        <Input
          type="search"
          value={typed}
          onChange={({ detail }) => {
            setTyped(detail.value);
            setAsked(false);
          }}
        />
      </FormField>
    </form>
  );
}
