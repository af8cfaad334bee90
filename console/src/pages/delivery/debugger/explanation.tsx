import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { SignatureExplanation } from '#console/api/types.ts';
import { Link } from '#console/shell/link.tsx';
import { CompareSigned, DifferenceView, SignedBytes } from './difference-view.tsx';
import type { DebugInput } from './pasted-request.ts';
import { describeVerdict, mayComeFromPasting, UNEXPLAINED_CHECKS } from './verdict-words.ts';
import { formatBytes, visiblePieces } from './visible-bytes.ts';

interface ExplanationProps {
  readonly explanation: SignatureExplanation;
  readonly asked: DebugInput;
  readonly formId: string;
}

export function Explanation({ explanation, asked: { request, obstacles }, formId }: ExplanationProps) {
  const { difference, signature, mistakes, signed } = explanation;
  const { kind, headline, sentences, besides } = describeVerdict(explanation, request, obstacles);
  const isUnexplained = explanation.decision === 'signature_mismatch' && signature === 'unexplained';
  return (
    <Box padding={{ top: 'l' }}>
      <SpaceBetween size="l">
        <LiveRegion>
          <Alert type={kind} header={headline}>
            {sentences.map((sentence) => (
              <div key={sentence} className="value">
                {sentence}
              </div>
            ))}
            {isUnexplained && <List of={UNEXPLAINED_CHECKS} />}
            {besides.length > 0 && (
              <>
                <div>The request also has these problems:</div>
                <List of={besides} />
              </>
            )}
          </Alert>
        </LiveRegion>
        {mistakes.length > 0 && <Mistakes mistakes={mistakes} formId={formId} />}
        {difference && <DifferenceView difference={difference} expectedByteLength={signed.byteLength} />}
        {signature === 'explained' && !difference && (
          <div>The signed bytes are correct. The problem is the key or the signature’s encoding.</div>
        )}
        {!difference && (
          <div>
            <Box variant="h3">Bytes to sign</Box>
            <Box color="text-body-secondary">
              {formatBytes(signed.byteLength)}: timestamp, dot, body. The first bytes:
            </Box>
            <SignedBytes
              label="Bytes to sign"
              runs={[{ differs: false, pieces: visiblePieces(signed.firstBytes) }]}
            />
          </div>
        )}
        {isUnexplained && <CompareSigned request={request} />}
      </SpaceBetween>
    </Box>
  );
}

function List({ of }: { readonly of: readonly string[] }) {
  return (
    <ul>
      {of.map((sentence) => (
        <li key={sentence} className="value">
          {sentence}
        </li>
      ))}
    </ul>
  );
}

interface MistakesProps {
  readonly mistakes: SignatureExplanation['mistakes'];
  readonly formId: string;
}

/** Together the mistakes produce exactly the signature that was sent. */
function Mistakes({ mistakes, formId }: MistakesProps) {
  return (
    <div>
      <Box variant="h3">{mistakes.length === 1 ? 'Cause' : 'Causes'}</Box>
      <ul>
        {mistakes.map(({ name, explanation, formId: other }) => (
          <li key={name}>
            {explanation}{' '}
            {other !== undefined && other !== formId && (
              <Link href={`/forms/${encodeURIComponent(other)}/delivery`}>That form’s Delivery settings</Link>
            )}
          </li>
        ))}
      </ul>
      {mayComeFromPasting(mistakes) && (
        <Box color="text-body-secondary">
          Copying text often changes whitespace and line endings. If the sender’s bytes don’t have this
          problem, fix the pasted text and check again.
        </Box>
      )}
    </div>
  );
}
