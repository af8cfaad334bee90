import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { SignedDifference } from '#debugger/difference.ts';
import { byteCount } from './byte-count.ts';
import { onlyHere } from './differing-text.ts';
import { type MarkedSide, markDifference } from './mark-difference.ts';
import { SignedBytes } from './signed-bytes.tsx';

interface DifferenceViewProps {
  readonly difference: SignedDifference;
  readonly expectedByteLength: number;
}

/** What should have been signed against what was, each with the part that the other does not have. */
export function DifferenceView({ difference, expectedByteLength }: DifferenceViewProps) {
  const { expected, signed } = markDifference(difference, expectedByteLength);
  return (
    <div>
      <Box variant="h3">The difference</Box>
      <Box color="text-body-secondary">
        They part after {byteCount(difference.atByte)}. What only one of them has is underlined; what cannot
        be seen is written in a box.
      </Box>
      <SpaceBetween size="s">
        <Side title="The service expects" bytes={expectedByteLength} side={expected} />
        <Side title="The sender signed" bytes={difference.signedByteLength} side={signed} />
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
        {title} <Box variant="small">({byteCount(bytes)})</Box>
      </Box>
      <SignedBytes label={title} {...side} />
      <Box variant="small">Only here: {onlyHere(side)}</Box>
    </div>
  );
}
