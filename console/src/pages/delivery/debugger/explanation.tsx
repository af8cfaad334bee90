import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { SignatureExplanation } from '#console/api/types.ts';
import { Link } from '#console/shell/link.tsx';
import { CompareSigned, DifferenceView, SignedBytes } from './difference-view.tsx';
import type { Asked } from './pasted-request.ts';
import { mayComeFromPasting, UNEXPLAINED_CHECKS, verdictOf } from './verdict-words.ts';
import { byteCount, visiblePieces } from './visible-bytes.ts';

interface ExplanationProps {
  readonly explanation: SignatureExplanation;
  readonly asked: Asked;
  readonly formId: string;
}

export function Explanation({ explanation, asked: { request, obstacles }, formId }: ExplanationProps) {
  const { difference, signature, mistakes, signed } = explanation;
  const { kind, headline, sentences, besides } = verdictOf(explanation, request, obstacles);
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
                <div>This is in the way as well, however the request is signed:</div>
                <List of={besides} />
              </>
            )}
          </Alert>
        </LiveRegion>
        {mistakes.length > 0 && <Mistakes mistakes={mistakes} formId={formId} />}
        {difference && <DifferenceView difference={difference} expectedByteLength={signed.byteLength} />}
        {signature === 'explained' && !difference && (
          <div>
            What was signed is right to the last byte: the mistake is in the key, or in how the signature is
            written.
          </div>
        )}
        {!difference && (
          <div>
            <Box variant="h3">To be signed</Box>
            <Box color="text-body-secondary">
              {byteCount(signed.byteLength)}: the timestamp, a dot and the body. They begin with:
            </Box>
            <SignedBytes
              label="To be signed"
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

/** All of them together make just the signature that was sent. */
function Mistakes({ mistakes, formId }: MistakesProps) {
  return (
    <div>
      <Box variant="h3">{mistakes.length === 1 ? 'The mistake' : `The ${mistakes.length} mistakes`}</Box>
      <ul>
        {mistakes.map(({ name, explanation, formId: other }) => (
          <li key={name}>
            {explanation}{' '}
            {other !== undefined && other !== formId && (
              <Link href={`/forms/${encodeURIComponent(other)}/delivery`}>That form’s delivery settings</Link>
            )}
          </li>
        ))}
      </ul>
      {mayComeFromPasting(mistakes) && (
        <Box color="text-body-secondary">
          White space and line ends often come or go when text is copied. If the sender’s own bytes do not
          have this, mend the pasted text and ask again.
        </Box>
      )}
    </div>
  );
}
