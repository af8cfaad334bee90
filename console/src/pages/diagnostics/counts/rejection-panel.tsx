import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { Diagnostics } from '#console/api/types.ts';
import TimeChart from '#console/shared/charts/time-chart.tsx';
import type { Bucket } from '#console/shared/charts/time-ranges.ts';
import { countLabel } from '#console/shared/charts/value-axis.ts';
import { type Filters, isFiltered, type Split } from '../filters/filters.ts';
import type { KnownForms } from '../known-forms.ts';
import { ReasonHelp } from './reason-help.tsx';
import { rejectionSeries, sumByReason, total } from './reason-sums.ts';

interface RejectionPanelProps {
  readonly title: string;
  readonly description: string;
  /** Said where there were none. */
  readonly nothing: string;
  readonly counts: Diagnostics['rejected']['counts'];
  readonly range: Pick<Diagnostics, 'from' | 'to'>;
  readonly bucket: Bucket;
  readonly split: Split;
  readonly forms: KnownForms;
  readonly filters: Filters;
}

export function RejectionPanel(props: RejectionPanelProps) {
  const { title, description, nothing, counts, range, bucket, split, forms, filters } = props;
  return (
    <Container
      header={
        <Header variant="h2" counter={`(${countLabel(total(counts))})`} description={description}>
          {title}
        </Header>
      }
    >
      {counts.length === 0 ? (
        <StatusIndicator type={isFiltered(filters) ? 'info' : 'success'}>
          {isFiltered(filters) ? 'None of them fits the filters.' : nothing}
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
