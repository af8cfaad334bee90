import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { CurlRequest } from '../curl/parse-curl.ts';
import { byteCount } from './byte-count.ts';

interface ReadCommandProps {
  readonly read: CurlRequest;
  readonly onGiveParts: () => void;
}

const NOT_THERE = 'Not in the command';

/** What was understood of a command, before anything is asked. What becomes of it is for the verdict alone to say. */
export function ReadCommand({ read, onGiveParts }: ReadCommandProps) {
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
            { label: 'Body', value: body ? byteCount(body.length) : NOT_THERE },
          ]}
        />
      )}
      {unreadable.length > 0 && (
        <Alert
          type="warning"
          header="Not all of the request is in the command"
          action={<Button onClick={onGiveParts}>Give the parts</Button>}
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
