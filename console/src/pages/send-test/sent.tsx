import Box from '@cloudscape-design/components/box';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import type { Test } from './use-send-test.ts';

export function Sent({ sent: { url, timestamp, headerNames, bodyText } }: { readonly sent: Test['sent'] }) {
  return (
    <SpaceBetween size="s">
      <KeyValuePairs
        columns={2}
        items={[
          { label: 'Address', value: <span className="value">POST {url}</span> },
          { label: 'X-SVC-Timestamp', value: timestamp },
          { label: 'Headers', value: <span className="value">{headerNames.join(', ')}</span> },
        ]}
      />
      <Box variant="awsui-key-label">Body, as it was signed and sent</Box>
      <div className="code-input">
        <Textarea value={bodyText} readOnly rows={4} spellcheck={false} ariaLabel="Body as sent" />
      </div>
    </SpaceBetween>
  );
}
