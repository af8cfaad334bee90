import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { differenceOf } from '#debugger/difference.ts';
import { messageToSign, type SentRequest } from './debug-request.ts';
import { DifferenceView } from './difference-view.tsx';

/** Where nothing explains a signature, the sender itself can tell what it has signed. Compared here, sent nowhere. */
export function CompareSigned({ request }: { readonly request: SentRequest }) {
  const [text, setText] = useState('');
  const expected = messageToSign(request);
  const difference = text === '' ? undefined : differenceOf(expected, new TextEncoder().encode(text));
  return (
    <ExpandableSection headerText="Compare with what your sender signed">
      <SpaceBetween size="s">
        <FormField
          label="The text that was signed"
          description="Have the sender log the exact text that it gives to HMAC, and paste it. It stays in this page."
          stretch
        >
          <div className="code-input">
            <Textarea
              value={text}
              rows={4}
              spellcheck={false}
              onChange={({ detail }) => setText(detail.value)}
            />
          </div>
        </FormField>
        {difference && <DifferenceView difference={difference} expectedByteLength={expected.length} />}
        {text !== '' && !difference && (
          <StatusIndicator type="success">
            The text is right to the last byte: the secret differs, or the digest is not HMAC-SHA256 as hex.
          </StatusIndicator>
        )}
      </SpaceBetween>
    </ExpandableSection>
  );
}
