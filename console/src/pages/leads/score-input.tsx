import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useEffect, useState } from 'react';
import { readScore } from './lead-filter.ts';

interface ScoreInputProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: number | undefined;
  readonly onChoose: (value: number | undefined) => void;
}

const textOf = (value: number | undefined) => (value === undefined ? '' : String(value));

/** While somebody types 85, leads from 8 on are not asked for: it waits for a pause. */
const PAUSE_MS = 600;

export function ScoreInput({ label, placeholder, value, onChoose }: ScoreInputProps) {
  const [text, setText] = useState(textOf(value));
  const isWrong = text !== '' && readScore(text) === undefined;

  useEffect(() => setText((now) => (readScore(now) === value ? now : textOf(value))), [value]);

  useEffect(() => {
    if (isWrong || readScore(text) === value) return undefined;
    const timer = setTimeout(() => onChoose(readScore(text)), PAUSE_MS);
    return () => clearTimeout(timer);
  });

  return (
    <FormField label={label} errorText={isWrong && 'A whole number from 0 to 100.'}>
      <Input
        value={text}
        inputMode="numeric"
        placeholder={placeholder}
        invalid={isWrong}
        onChange={({ detail }) => setText(detail.value.trim())}
      />
    </FormField>
  );
}
