import Box from '@cloudscape-design/components/box';
import type { SignatureExplanation } from '#console/api/types.ts';
import { Link } from '#console/shell/link.tsx';
import { mayComeFromPasting } from './verdict-words.ts';

interface MistakesProps {
  readonly mistakes: SignatureExplanation['mistakes'];
  readonly formId: string;
}

/** All of them together make just the signature that was sent. */
export function Mistakes({ mistakes, formId }: MistakesProps) {
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
