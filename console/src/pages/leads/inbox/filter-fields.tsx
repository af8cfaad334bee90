import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select, { type SelectProps } from '@cloudscape-design/components/select';
import { type ReactNode, useEffect, useState } from 'react';
import { readScore } from './inbox-filter.ts';

interface ChoiceProps {
  readonly label: string;
  /** Explains the label. */
  readonly info?: ReactNode;
  /** The option without a filter. */
  readonly all: string;
  readonly options: SelectProps.Options;
  readonly chosen: string | undefined;
  readonly onChoose: (value: string | undefined) => void;
}

const MANY = 10;

export function Choice({ label, info, all, options, chosen, onChoose }: ChoiceProps) {
  const offered = [{ value: '', label: all }, ...options];
  const flat = offered.flatMap((one) => ('options' in one ? one.options : one));
  return (
    <FormField label={label} info={info}>
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

export function ScoreInput({ label, placeholder, value, problem, onType }: ScoreInputProps) {
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
