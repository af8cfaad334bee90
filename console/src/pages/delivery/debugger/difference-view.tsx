import Box from '@cloudscape-design/components/box';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { differenceOf, type SignedDifference } from '#debugger/difference.ts';
import { messageToSign, type SentRequest } from './debug-request.ts';
import {
  describeDifferences,
  formatBytes,
  type MarkedRun,
  type MarkedSide,
  markDifference,
} from './mark-difference.ts';

/** Compares the sender's signed text with the expected one in the browser. */
export function CompareSigned({ request }: { readonly request: SentRequest }) {
  const [text, setText] = useState('');
  const expected = messageToSign(request);
  const difference = text === '' ? undefined : differenceOf(expected, new TextEncoder().encode(text));
  return (
    <ExpandableSection headerText="Compare with what your sender signed">
      <SpaceBetween size="s">
        <FormField
          label="Signed text"
          description="Log the exact text that the sender passes to HMAC, and paste it here. It isn’t sent anywhere."
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
            The text is correct. Either the secret is wrong, or the digest isn’t hex-encoded HMAC-SHA256.
          </StatusIndicator>
        )}
      </SpaceBetween>
    </ExpandableSection>
  );
}

interface DifferenceViewProps {
  readonly difference: SignedDifference;
  readonly expectedByteLength: number;
}

/** The expected and the signed bytes with their differences marked. */
export function DifferenceView({ difference, expectedByteLength }: DifferenceViewProps) {
  const { expected, signed } = markDifference(difference, expectedByteLength);
  return (
    <div>
      <Box variant="h3">Difference</Box>
      <Box color="text-body-secondary">
        First difference at byte {(difference.atByte + 1).toLocaleString('en')}. Differences are underlined;
        invisible characters are shown in boxes.
      </Box>
      <SpaceBetween size="s">
        <Side title="Expected" bytes={expectedByteLength} side={expected} />
        <Side title="Signed by the sender" bytes={difference.signedByteLength} side={signed} />
      </SpaceBetween>
    </div>
  );
}

interface SideProps {
  readonly title: string;
  readonly bytes: number;
  readonly side: MarkedSide;
}

function Side({ title, bytes, side }: SideProps) {
  return (
    <div>
      <Box variant="h4">
        {title} <Box variant="small">({formatBytes(bytes)})</Box>
      </Box>
      <SignedBytes label={title} {...side} />
      <Box variant="small">Only here: {describeDifferences(side)}</Box>
    </div>
  );
}

interface SignedBytesProps {
  readonly label: string;
  readonly runs: readonly MarkedRun[];
  readonly cutBefore?: boolean;
  readonly cutAfter?: boolean;
}

/** Text in byte order, even for right-to-left scripts, with invisible characters named. */
export function SignedBytes({ label, runs, cutBefore = false, cutAfter = false }: SignedBytesProps) {
  return (
    <figure className="signed-bytes" aria-label={label}>
      <bdo dir="ltr">
        {cutBefore && '… '}
        {runs.map((run, at) => {
          const Mark = run.differs ? 'mark' : 'span';
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: runs have no other identity, and never move.
            <Mark key={at}>
              <Pieces of={run.pieces} />
            </Mark>
          );
        })}
        {cutAfter && ' …'}
      </bdo>
    </figure>
  );
}

function Pieces({ of }: { readonly of: MarkedRun['pieces'] }) {
  return joined(of).map(({ text, unseen }, at) =>
    unseen ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above.
      <span key={at} className="unseen">
        {text}
      </span>
    ) : (
      text
    ),
  );
}

/** Joins plain characters, since some scripts shape them by their neighbors. */
function joined(pieces: MarkedRun['pieces']): MarkedRun['pieces'] {
  const result: { text: string; unseen: boolean }[] = [];
  for (const { text, unseen } of pieces) {
    const last = result.at(-1);
    if (last && !last.unseen && !unseen) last.text += text;
    else result.push({ text, unseen });
  }
  return result;
}
