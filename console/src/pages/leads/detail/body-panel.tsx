import { CodeView } from '@cloudscape-design/code-view';
import jsonHighlight from '@cloudscape-design/code-view/highlight/json';
import Box from '@cloudscape-design/components/box';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useMemo, useState } from 'react';
import { formatSize } from '../export/export-pages.ts';
import { formatJson } from './read-lead-body.ts';

type View = 'formatted' | 'sent';

/** CodeView renders elements per line: 128 KB of short lines would freeze the page for seconds. */
const MAX_HIGHLIGHTED_LENGTH = 20_000;
const MAX_LINES_HIGHLIGHTED = 1_000;

interface BodyPanelProps {
  readonly body: string;
  /** The lead's fields were made of it. */
  readonly isMapped: boolean;
}

export default function BodyPanel({ body, isMapped }: BodyPanelProps) {
  const [view, setView] = useState<View>('formatted');
  const text = useMemo(() => (view === 'formatted' ? formatJson(body) : body), [body, view]);
  const size = formatSize(new TextEncoder().encode(body).length);
  return (
    <SpaceBetween size="s">
      <Box color="text-body-secondary">
        {`${size}${isMapped ? ', as the provider sent it. The fields were made of it' : ''}. The formatted view changes only whitespace.`}
      </Box>
      <SpaceBetween direction="horizontal" size="s">
        <SegmentedControl
          label="Body view"
          selectedId={view}
          onChange={({ detail }) => setView(detail.selectedId as View)}
          options={[
            { id: 'formatted', text: 'Formatted' },
            { id: 'sent', text: 'Original' },
          ]}
        />
        <CopyToClipboard
          textToCopy={body}
          copyButtonText="Copy original"
          copySuccessText="Copied the body"
          copyErrorText="Couldn’t copy the body. Select and copy it manually."
        />
      </SpaceBetween>
      <Code text={text} />
    </SpaceBetween>
  );
}

function Code({ text }: { readonly text: string }) {
  const isSmall = text.length <= MAX_HIGHLIGHTED_LENGTH && lineCount(text) <= MAX_LINES_HIGHLIGHTED;
  if (!isSmall)
    return (
      <div className="code-input">
        <Textarea value={text} readOnly rows={24} spellcheck={false} ariaLabel="Lead body" />
      </div>
    );
  return (
    <div className="value">
      <CodeView content={text} highlight={jsonHighlight} wrapLines ariaLabel="Lead body" />
    </div>
  );
}

function lineCount(text: string): number {
  return text.split('\n', MAX_LINES_HIGHLIGHTED + 2).length;
}
