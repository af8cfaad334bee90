import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { REASON_GUIDE } from '#rejections/reason-guide.ts';
import type { RecordedReason } from '../../api/types.ts';
import { Link } from '../../shell/link.tsx';
import { reasonLinks } from './reason-links.ts';

interface ReasonGuideProps {
  readonly reason: RecordedReason;
  /** The affected forms that can still receive leads. */
  readonly forms: readonly { readonly formId: string; readonly name: string }[];
  /** The request that was rejected, if it is about one. */
  readonly requestId?: string;
}

/** What a reason means, what to do about it, and where. */
export function ReasonGuide({ reason, forms, requestId }: ReasonGuideProps) {
  const { meaning, remedy } = REASON_GUIDE[reason];
  const links =
    forms.length > 0 ? forms.flatMap((form) => reasonLinks(reason, form, requestId)) : reasonLinks(reason);
  const each = links.filter(({ href }, at) => links.findIndex((other) => other.href === href) === at);
  return (
    <SpaceBetween size="xs">
      <Box>{meaning}</Box>
      <Box>
        <strong>What to do:</strong> {remedy}
      </Box>
      {each.length > 0 && (
        <SpaceBetween direction="horizontal" size="m">
          {each.map(({ text, href }) => (
            <Link key={href} href={href}>
              {text}
            </Link>
          ))}
        </SpaceBetween>
      )}
    </SpaceBetween>
  );
}
