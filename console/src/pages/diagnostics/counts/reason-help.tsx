import ExpandableSection from '@cloudscape-design/components/expandable-section';
import { countLabel } from '#console/shared/charts/value-axis.ts';
import { REASON_GUIDE } from '#rejections/reason-guide.ts';
import type { KnownForms } from '../known-forms.ts';
import { ReasonGuide } from '../reason-guide.tsx';
import type { ReasonSum } from './reason-sums.ts';

interface ReasonHelpProps {
  readonly sum: ReasonSum;
  readonly forms: KnownForms;
  readonly open: boolean;
}

const MOST_FORMS = 5;

/** How often a reason came, and on opening it what it means and what to do. */
export function ReasonHelp({ sum: { reason, count, formIds }, forms, open }: ReasonHelpProps) {
  return (
    <ExpandableSection
      // Chosen as a filter it opens, and can be closed again.
      key={String(open)}
      defaultExpanded={open}
      headingTagOverride="h3"
      headerText={`${REASON_GUIDE[reason].title} (${countLabel(count)})`}
    >
      <ReasonGuide reason={reason} forms={forms.takingLeads(formIds).slice(0, MOST_FORMS)} />
    </ExpandableSection>
  );
}
