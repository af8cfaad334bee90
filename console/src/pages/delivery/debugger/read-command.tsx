import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { CurlRequest } from '../curl/parse-curl.ts';

interface ReadCommandProps {
  readonly url: string;
  readonly read: CurlRequest;
  readonly onGiveParts: () => void;
}

/** What was understood of a command, before anything is asked. */
export function ReadCommand({ url, read, onGiveParts }: ReadCommandProps) {
  const { timestamp, signature, body, unreadable, refused } = read;
  const elsewhere = read.url !== undefined && read.url !== url;
  return (
    <SpaceBetween size="s">
      <KeyValuePairs
        columns={3}
        items={[
          { label: 'Timestamp', value: <Value text={timestamp} /> },
          { label: 'Signature', value: <Value text={signature} /> },
          { label: 'Body', value: body ? `${body.length.toLocaleString('en')} bytes` : 'Not there' },
        ]}
      />
      {unreadable.length > 0 && (
        <Alert
          type="warning"
          header="Not all of the request is in the command"
          action={<Button onClick={onGiveParts}>Give the parts</Button>}
        >
          <Sentences of={unreadable} />
        </Alert>
      )}
      {elsewhere && (
        <Alert type="warning" header="The command sends to another address">
          <div className="value">It sends to {read.url}</div>
          <div className="value">This form’s is {url}</div>
        </Alert>
      )}
      {refused.length > 0 && (
        <Alert type="warning" header="The service rejects this request, however it is signed">
          <Sentences of={refused} />
        </Alert>
      )}
    </SpaceBetween>
  );
}

function Value({ text }: { readonly text: string | undefined }) {
  return text === undefined ? 'Not there' : <span className="value">{text}</span>;
}

function Sentences({ of }: { readonly of: readonly string[] }) {
  return of.map((sentence) => (
    <div key={sentence} className="value">
      {sentence}
    </div>
  ));
}
