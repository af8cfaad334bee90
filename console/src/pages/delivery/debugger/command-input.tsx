import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useDeferredValue, useMemo } from 'react';
import { type CurlRequest, parseCurl } from '../curl/parse-curl.ts';
import { formatBytes } from './visible-bytes.ts';

interface CommandInputProps {
  readonly url: string;
  readonly command: string;
  readonly problem: string | undefined;
  readonly onChange: (command: string) => void;
  readonly onGiveParts: () => void;
}

export function CommandInput({ url, command, problem, onChange, onGiveParts }: CommandInputProps) {
  // Keeps typing responsive while a long command is parsed.
  const settled = useDeferredValue(command);
  const read = useMemo(() => parseCurl(settled), [settled]);
  return (
    <SpaceBetween size="m">
      <FormField
        label="curl command"
        description="Use the actual values, not variables. The command is parsed here and never run."
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

interface ReadCommandProps {
  readonly read: CurlRequest;
  readonly onGiveParts: () => void;
}

const NOT_THERE = 'Not found';

/** What was parsed from the command. */
function ReadCommand({ read, onGiveParts }: ReadCommandProps) {
  const { timestamp, signature, body, unreadable } = read;
  const isRead = unreadable.length === 0 || [timestamp, signature, body].some((part) => part !== undefined);
  return (
    <SpaceBetween size="s">
      {isRead && (
        <KeyValuePairs
          columns={3}
          items={[
            { label: 'Timestamp', value: <Value text={timestamp} /> },
            { label: 'Signature', value: <Value text={signature} /> },
            { label: 'Body', value: body ? formatBytes(body.length) : NOT_THERE },
          ]}
        />
      )}
      {unreadable.length > 0 && (
        <Alert
          type="warning"
          header="The command doesn’t contain the whole request"
          action={<Button onClick={onGiveParts}>Enter values separately</Button>}
        >
          {unreadable.map((sentence) => (
            <div key={sentence} className="value">
              {sentence}
            </div>
          ))}
        </Alert>
      )}
    </SpaceBetween>
  );
}

function Value({ text }: { readonly text: string | undefined }) {
  return text === undefined ? NOT_THERE : <span className="value">{text}</span>;
}
