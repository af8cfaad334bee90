import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { reasonGuide } from '#rejections/reason-guide.ts';
import type { RecordedReason, RejectionEvent, Surface } from '../../api/types.ts';
import { Link } from '../../shell/link.tsx';
import { reasonLinks } from './reason-links.ts';

interface ReasonGuideProps {
  readonly reason: RecordedReason;
  /** Where it happened: some have words of their own. */
  readonly surfaces: readonly Surface[];
  /** The affected forms that can still receive leads. */
  readonly forms: readonly { readonly formId: string; readonly name: string }[];
  /** The request that was rejected, if it is about one. */
  readonly requestId?: string;
  readonly detail?: RejectionEvent['detail'];
}

/** What a reason means, what to do about it, and where. */
export function ReasonGuide({ reason, surfaces, forms, requestId, detail }: ReasonGuideProps) {
  const guides = surfaces.map((surface) => reasonGuide(reason, surface, detail));
  const told = guides.filter(({ remedy }, at) => guides.findIndex((other) => other.remedy === remedy) === at);
  const links = surfaces.flatMap((surface) =>
    forms.length > 0
      ? forms.flatMap((form) => reasonLinks(reason, { form, requestId, surface }))
      : reasonLinks(reason, { surface }),
  );
  const each = links.filter(({ href }, at) => links.findIndex((other) => other.href === href) === at);
  return (
    <SpaceBetween size="xs">
      {told.map(({ meaning, remedy }) => (
        <SpaceBetween key={remedy} size="xs">
          <Box>{meaning}</Box>
          <Box>
            <strong>What to do:</strong> {remedy}
          </Box>
        </SpaceBetween>
      ))}
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
