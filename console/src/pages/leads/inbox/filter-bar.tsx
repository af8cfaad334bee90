import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select, { type SelectProps } from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useState } from 'react';
import { ENRICHMENT_STATES } from '#enrichment/enrichment-item.ts';
import { ENRICHMENT_NAMES } from '../lead-words.ts';
import { countOtherFilters, type InboxFilter, isFiltered, readScore, readWords } from './inbox-filter.ts';
import { PeriodChoice } from './period-choice.tsx';

interface FilterBarProps {
  readonly filter: InboxFilter;
  readonly forms: SelectProps.Options;
  readonly onChoose: (filter: InboxFilter) => void;
  /** For typed text, which changes with every pause. */
  readonly onType: (filter: InboxFilter) => void;
}

/** On a phone, all but the search and the period are collapsed unless in use. */
export function FilterBar({ filter, forms, onChoose, onType }: FilterBarProps) {
  const [isWide] = useState(() => matchMedia('(min-width: 700px)').matches);
  const others = <OtherFilters filter={filter} forms={forms} onChoose={onChoose} onType={onType} />;
  return (
    <SpaceBetween size="s">
      <SearchBox words={filter.q} onSearch={(q) => onType({ ...filter, q })} />
      <SpaceBetween direction="horizontal" size="m" alignItems="end">
        <PeriodChoice
          period={filter.period}
          isWide={isWide}
          onChoose={(period) => onChoose({ ...filter, period })}
        />
        {/* Always there, so the table doesn't move. */}
        <Button disabled={!isFiltered(filter)} onClick={() => onChoose({})}>
          Clear filters
        </Button>
      </SpaceBetween>
      {isWide ? (
        others
      ) : (
        <ExpandableSection headerText="More filters" defaultExpanded={countOtherFilters(filter) > 0}>
          {others}
        </ExpandableSection>
      )}
    </SpaceBetween>
  );
}

const CLEAN = [
  { value: 'true', label: 'Clean' },
  { value: 'false', label: 'Not clean' },
];
const ENRICHMENT = ENRICHMENT_STATES.map((value) => ({ value, label: ENRICHMENT_NAMES[value] }));

function OtherFilters({ filter, forms, onChoose, onType }: FilterBarProps) {
  const { form, clean, enrichment, minScore, maxScore } = filter;
  const isEmptyRange = minScore !== undefined && maxScore !== undefined && minScore > maxScore;
  return (
    <ColumnLayout columns={5} minColumnWidth={150}>
      <Choice
        label="Form"
        all="All forms"
        options={forms}
        chosen={form}
        onChoose={(value) => onChoose({ ...filter, form: value })}
      />
      <Choice
        label="Clean"
        all="All"
        options={CLEAN}
        chosen={clean === undefined ? undefined : String(clean)}
        onChoose={(value) =>
          onChoose({ ...filter, clean: value === undefined ? undefined : value === 'true' })
        }
      />
      <Choice
        label="Enrichment"
        all="All"
        options={ENRICHMENT}
        chosen={enrichment}
        onChoose={(value) =>
          onChoose({ ...filter, enrichment: ENRICHMENT_STATES.find((state) => state === value) })
        }
      />
      <ScoreInput
        label="Minimum score"
        placeholder="0"
        value={minScore}
        onType={(score) => onType({ ...filter, minScore: score })}
      />
      <ScoreInput
        label="Maximum score"
        placeholder="100"
        problem={isEmptyRange ? 'Below the minimum.' : undefined}
        value={maxScore}
        onType={(score) => onType({ ...filter, maxScore: score })}
      />
    </ColumnLayout>
  );
}

interface ChoiceProps {
  readonly label: string;
  /** The option without a filter. */
  readonly all: string;
  readonly options: SelectProps.Options;
  readonly chosen: string | undefined;
  readonly onChoose: (value: string | undefined) => void;
}

const MANY = 10;

function Choice({ label, all, options, chosen, onChoose }: ChoiceProps) {
  const offered = [{ value: '', label: all }, ...options];
  const flat = offered.flatMap((one) => ('options' in one ? one.options : one));
  return (
    <FormField label={label}>
      <Select
        options={offered}
        selectedOption={flat.find(({ value }) => value === (chosen ?? '')) ?? { value: chosen }}
        filteringType={flat.length > MANY ? 'auto' : 'none'}
        filteringAriaLabel={`Find: ${label}`}
        onChange={({ detail }) => onChoose(detail.selectedOption.value || undefined)}
      />
    </FormField>
  );
}

interface ScoreInputProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: number | undefined;
  /** An error for a valid score. */
  readonly problem?: string | undefined;
  readonly onType: (value: number | undefined) => void;
}

const BOUNDS = '0 to 100';

const textOf = (value: number | undefined) => (value === undefined ? '' : String(value));

/** Debounce, so typing 85 doesn't query for 8. */
const PAUSE_MS = 600;

function ScoreInput({ label, placeholder, value, problem, onType }: ScoreInputProps) {
  const [text, setText] = useState(textOf(value));
  const isWrong = text !== '' && readScore(text) === undefined;

  useEffect(() => setText((now) => (readScore(now) === value ? now : textOf(value))), [value]);

  useEffect(() => {
    if (isWrong || readScore(text) === value) return undefined;
    const timer = setTimeout(() => onType(readScore(text)), PAUSE_MS);
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

interface SearchBoxProps {
  readonly words: string | undefined;
  readonly onSearch: (words: string | undefined) => void;
}

/** Debounce, so that typing a word is one search. */
const SEARCH_PAUSE_MS = 400;

/** Searches after a pause, and at once on Enter. */
function SearchBox({ words, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(words ?? '');

  // Back, Forward and "Clear" change the words, too.
  useEffect(() => setText((now) => (readWords(now) === words ? now : (words ?? ''))), [words]);

  useEffect(() => {
    if (readWords(text) === words) return undefined;
    const timer = setTimeout(() => onSearch(readWords(text)), SEARCH_PAUSE_MS);
    return () => clearTimeout(timer);
  });

  return (
    <FormField label="Search" stretch>
      <Input
        type="search"
        value={text}
        placeholder="Name, company, email, domain or phone"
        autoComplete={false}
        onChange={({ detail }) => setText(detail.value)}
        onKeyDown={({ detail }) => {
          if (detail.key === 'Enter' && readWords(text) !== words) onSearch(readWords(text));
        }}
      />
    </FormField>
  );
}
