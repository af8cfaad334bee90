import ColumnLayout from '@cloudscape-design/components/column-layout';
import DateRangePicker from '@cloudscape-design/components/date-range-picker';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import { useEffect, useState } from 'react';
import {
  dateRangeProblem,
  isFiltered,
  type LeadFilter,
  type Received,
  readScore,
  UNIT_NAMES,
} from './lead-filter.ts';

interface FilterBarProps {
  readonly filter: LeadFilter;
  readonly onChange: (filter: LeadFilter) => void;
}

const RANGES = [
  { key: 'hour', type: 'relative', amount: 1, unit: 'hour' },
  { key: 'day', type: 'relative', amount: 24, unit: 'hour' },
  { key: 'week', type: 'relative', amount: 7, unit: 'day' },
  { key: 'month', type: 'relative', amount: 30, unit: 'day' },
] as const;

const CLEAN = [
  { value: '', label: 'All leads' },
  { value: 'true', label: 'Clean only' },
  { value: 'false', label: 'Not clean only' },
];

/** On a phone the filter is collapsed unless it is in use. */
export function FilterBar(props: FilterBarProps) {
  const [isWide] = useState(() => matchMedia('(min-width: 700px)').matches);
  if (isWide) return <Filters {...props} />;
  return (
    <ExpandableSection headerText="Filter" defaultExpanded={isFiltered(props.filter)}>
      <Filters {...props} />
    </ExpandableSection>
  );
}

function Filters({ filter, onChange }: FilterBarProps) {
  const { received, clean, minScore, maxScore } = filter;
  const isEmptyRange = minScore !== undefined && maxScore !== undefined && minScore > maxScore;
  return (
    <ColumnLayout columns={4} minColumnWidth={160}>
      <FormField label="Received">
        <DateRangePicker
          value={received ?? null}
          relativeOptions={RANGES}
          customRelativeRangeUnits={UNIT_NAMES}
          placeholder="Any time"
          absoluteFormat="long-localized"
          isValidRange={(range) => {
            const problem = dateRangeProblem(range as Received | null);
            return problem === undefined ? { valid: true } : { valid: false, errorMessage: problem };
          }}
          onChange={({ detail }) =>
            onChange({ ...filter, received: (detail.value ?? undefined) as Received })
          }
        />
      </FormField>
      <FormField label="Clean">
        <Select
          options={CLEAN}
          selectedOption={CLEAN.find(({ value }) => value === String(clean ?? '')) ?? null}
          onChange={({ detail: { selectedOption } }) => {
            const { value } = selectedOption;
            onChange({ ...filter, clean: value === '' ? undefined : value === 'true' });
          }}
        />
      </FormField>
      <ScoreInput
        label="Minimum score"
        placeholder="0"
        value={minScore}
        onChoose={(score) => onChange({ ...filter, minScore: score })}
      />
      <ScoreInput
        label="Maximum score"
        placeholder="100"
        problem={isEmptyRange ? 'Must be at least the minimum.' : undefined}
        value={maxScore}
        onChoose={(score) => onChange({ ...filter, maxScore: score })}
      />
    </ColumnLayout>
  );
}

interface ScoreInputProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: number | undefined;
  /** An error for a valid score. */
  readonly problem?: string | undefined;
  readonly onChoose: (value: number | undefined) => void;
}

const BOUNDS = '0 to 100';

const textOf = (value: number | undefined) => (value === undefined ? '' : String(value));

/** Debounce, so typing 85 doesn't query for 8. */
const PAUSE_MS = 600;

function ScoreInput({ label, placeholder, value, problem, onChoose }: ScoreInputProps) {
  const [text, setText] = useState(textOf(value));
  const isWrong = text !== '' && readScore(text) === undefined;

  useEffect(() => setText((now) => (readScore(now) === value ? now : textOf(value))), [value]);

  useEffect(() => {
    if (isWrong || readScore(text) === value) return undefined;
    const timer = setTimeout(() => onChoose(readScore(text)), PAUSE_MS);
    return () => clearTimeout(timer);
  });

  const wrong = isWrong ? 'Enter 0 to 100.' : problem;
  return (
    // Always one line, so the table doesn't move.
    <FormField label={label} errorText={wrong} constraintText={wrong === undefined && BOUNDS}>
      <Input
        value={text}
        inputMode="numeric"
        placeholder={placeholder}
        onChange={({ detail }) => setText(detail.value.trim())}
      />
    </FormField>
  );
}
