import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { looksLikeCurl } from '../curl/parse-curl.ts';
import { BodyInput } from './body-input.tsx';
import type { FieldProblems, PastedParts } from './pasted-request.ts';

interface PartsInputProps {
  readonly parts: PastedParts;
  readonly problems: FieldProblems;
  readonly onChange: (parts: PastedParts) => void;
  /** A whole command was pasted into one of the fields. */
  readonly onCommand: (command: string) => void;
}

export function PartsInput({ parts, problems, onChange, onCommand }: PartsInputProps) {
  const change = (name: 'timestamp' | 'signature' | 'body') => (value: string) => {
    // Only when it is pasted: a field that holds something already is being typed in.
    if (parts[name] === '' && looksLikeCurl(value)) onCommand(value);
    else onChange({ ...parts, [name]: value });
  };
  return (
    <SpaceBetween size="m">
      <FormField label="X-SVC-Timestamp" description="As it was sent." errorText={problems.timestamp}>
        <Input
          value={parts.timestamp}
          placeholder="1794744010"
          autoComplete="off"
          spellcheck={false}
          onChange={({ detail }) => change('timestamp')(detail.value)}
        />
      </FormField>
      <FormField label="X-SVC-Signature" description="As it was sent." errorText={problems.signature}>
        <Input
          value={parts.signature}
          placeholder="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
          autoComplete="off"
          spellcheck={false}
          onChange={({ detail }) => change('signature')(detail.value)}
        />
      </FormField>
      <BodyInput parts={parts} problem={problems.body} onChange={onChange} onText={change('body')} />
    </SpaceBetween>
  );
}
