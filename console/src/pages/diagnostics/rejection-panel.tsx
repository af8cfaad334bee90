import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { REASON_GUIDE } from '#rejections/reason-guide.ts';
import type { Diagnostics } from '../../api/types.ts';
import { formatCount } from '../../shared/charts/axis-labels.ts';
import TimeChart from '../../shared/charts/time-chart.tsx';
import type { Bucket } from '../../shared/charts/time-ranges.ts';
import type { KnownForms } from './known-forms.ts';
import { ReasonGuide } from './reason-help.tsx';
import { type ReasonSum, rejectionSeries, sumByReason, total } from './reason-sums.ts';
import { type Filters, type Grouping, isFiltered } from './rejection-filters.ts';

interface RejectionPanelProps {
  readonly title: string;
  readonly description: string;
  /** Text for an empty panel. */
  readonly nothing: string;
  readonly counts: Diagnostics['rejected']['counts'];
  readonly range: Pick<Diagnostics, 'from' | 'to'>;
  readonly bucket: Bucket;
  readonly split: Grouping;
  readonly forms: KnownForms;
  readonly filters: Filters;
}

export function RejectionPanel(props: RejectionPanelProps) {
  const { title, description, nothing, counts, range, bucket, split, forms, filters } = props;
  return (
    <Container
      header={
        <Header variant="h2" counter={`(${formatCount(total(counts))})`} description={description}>
          {title}
        </Header>
      }
    >
      {counts.length === 0 ? (
        <StatusIndicator type={isFiltered(filters) ? 'info' : 'success'}>
          {isFiltered(filters) ? 'No rejections match the filters.' : nothing}
        </StatusIndicator>
      ) : (
        <SpaceBetween size="l">
          <TimeChart
            label={title}
            series={rejectionSeries(counts, { range, bucket, split, nameOfForm: forms.nameOf })}
            bucket={bucket}
            height={180}
          />
          <SpaceBetween size="xs">
            {sumByReason(counts).map((sum) => (
              <ReasonHelp key={sum.reason} sum={sum} forms={forms} open={filters.reason === sum.reason} />
            ))}
          </SpaceBetween>
        </SpaceBetween>
      )}
    </Container>
  );
}

interface ReasonHelpProps {
  readonly sum: ReasonSum;
  readonly forms: KnownForms;
  readonly open: boolean;
}

const MOST_FORMS = 5;

/** A reason's count, which expands to its meaning and remedy. */
function ReasonHelp({ sum: { reason, count, formIds }, forms, open }: ReasonHelpProps) {
  return (
    <ExpandableSection
      // Opens when chosen as a filter, and can be closed again.
      key={String(open)}
      defaultExpanded={open}
      headingTagOverride="h3"
      headerText={`${REASON_GUIDE[reason].title} (${formatCount(count)})`}
    >
      <ReasonGuide reason={reason} forms={forms.takingLeads(formIds).slice(0, MOST_FORMS)} />
    </ExpandableSection>
  );
}
