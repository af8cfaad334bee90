import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { SignatureExplanation } from '../../../api/types.ts';
import { CompareSigned } from './compare-signed.tsx';
import type { SentRequest } from './debug-request.ts';
import { DifferenceView } from './difference-view.tsx';
import { Mistakes } from './mistakes.tsx';
import { SignedBytes } from './signed-bytes.tsx';
import { UNEXPLAINED_CHECKS, verdictOf } from './verdict-words.ts';
import { visiblePieces } from './visible-bytes.ts';

interface ExplanationProps {
  readonly explanation: SignatureExplanation;
  readonly request: SentRequest;
  readonly formId: string;
}

export function Explanation({ explanation, request, formId }: ExplanationProps) {
  const { difference, signature, mistakes, signed } = explanation;
  const hasSignature = request.signature !== undefined;
  const { kind, headline, sentences } = verdictOf(explanation, hasSignature);
  const isUnexplained = explanation.decision === 'signature_mismatch' && signature === 'unexplained';
  return (
    <Box padding={{ top: 'l' }}>
      <SpaceBetween size="l">
        <LiveRegion>
          <Alert type={kind} header={headline}>
            {sentences.map((sentence) => (
              <div key={sentence}>{sentence}</div>
            ))}
            {isUnexplained && (
              <ul>
                {UNEXPLAINED_CHECKS.map((check) => (
                  <li key={check}>{check}</li>
                ))}
              </ul>
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
              {signed.byteLength.toLocaleString('en')} bytes: the timestamp, a dot and the body. They begin
              with:
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
