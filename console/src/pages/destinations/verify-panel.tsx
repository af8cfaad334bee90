import CodeView from '@cloudscape-design/code-view/code-view';
import Box from '@cloudscape-design/components/box';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { HEADER_WORDS, VERIFY_SNIPPET } from './verify-snippet.ts';

/** Collapsed: it is for the developer, once. */
export function VerifyPanel() {
  return (
    <ExpandableSection
      variant="container"
      headerText="How to verify messages"
      headerDescription="Headers of Standard Webhooks, and a receiver in Node.js."
    >
      <SpaceBetween size="m">
        <KeyValuePairs
          columns={3}
          items={HEADER_WORDS.map(({ name, meaning }) => ({
            label: <Box variant="code">{name}</Box>,
            value: meaning,
          }))}
        />
        <Box>
          Reject timestamps that are more than five minutes old. Answer with any 2xx status within 10 seconds.
          Messages arrive at least once and in no particular order.
        </Box>
        <CodeView
          content={VERIFY_SNIPPET.trimEnd()}
          wrapLines
          ariaLabel="Receiver in Node.js"
          actions={
            <CopyToClipboard
              textToCopy={VERIFY_SNIPPET}
              copyButtonAriaLabel="Copy receiver"
              copySuccessText="Copied the receiver"
              copyErrorText="Couldn’t copy the receiver. Select and copy it manually."
            />
          }
        />
      </SpaceBetween>
    </ExpandableSection>
  );
}
