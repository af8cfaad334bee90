import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useEffect, useState } from 'react';
import { readScore } from './lead-filter.ts';

interface ScoreInputProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: number | undefined;
  /** What is wrong with a score that is one. */
  readonly problem?: string | undefined;
  readonly onChoose: (value: number | undefined) => void;
}

const BOUNDS = 'From 0 to 100.';

const textOf = (value: number | undefined) => (value === undefined ? '' : String(value));

/** While somebody types 85, leads from 8 on are not asked for: it waits for a pause. */
const PAUSE_MS = 600;

export function ScoreInput({ label, placeholder, value, problem, onChoose }: ScoreInputProps) {
  const [text, setText] = useState(textOf(value));
  const isWrong = text !== '' && readScore(text) === undefined;

  useEffect(() => setText((now) => (readScore(now) === value ? now : textOf(value))), [value]);

  useEffect(() => {
    if (isWrong || readScore(text) === value) return undefined;
    const timer = setTimeout(() => onChoose(readScore(text)), PAUSE_MS);
    return () => clearTimeout(timer);
  });

  const wrong = isWrong ? 'A whole number, 0 to 100.' : problem;
  return (
    // One line below in either case, so that the leads do not move.
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
