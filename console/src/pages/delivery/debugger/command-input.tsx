import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useDeferredValue, useMemo } from 'react';
import { parseCurl } from '../curl/parse-curl.ts';
import { ReadCommand } from './read-command.tsx';

interface CommandInputProps {
  readonly url: string;
  readonly command: string;
  readonly problem: string | undefined;
  readonly onChange: (command: string) => void;
  readonly onGiveParts: () => void;
}

export function CommandInput({ url, command, problem, onChange, onGiveParts }: CommandInputProps) {
  // Typing goes on while a long command is read.
  const settled = useDeferredValue(command);
  const read = useMemo(() => parseCurl(settled), [settled]);
  return (
    <SpaceBetween size="m">
      <FormField
        label="curl command"
        description="With the values that were sent in it, and not variables. It is read here and never run."
        errorText={problem}
        stretch
      >
        <div className="code-input">
          <Textarea
            value={command}
            rows={8}
            spellcheck={false}
            placeholder={`curl ${url} -H 'X-SVC-Timestamp: …' -H 'X-SVC-Signature: …' -d '{…}'`}
            onChange={({ detail }) => onChange(detail.value)}
          />
        </div>
      </FormField>
      {read && <ReadCommand read={read} onGiveParts={onGiveParts} />}
    </SpaceBetween>
  );
}
