import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TimeChart from '../../shared/charts/time-chart.tsx';
import type { TimeRange } from '../../shared/charts/time-ranges.ts';
import { TruncatedNotice } from '../../shared/charts/truncated-notice.tsx';
import { countLabel } from '../../shared/charts/value-axis.ts';
import { WhenRead } from '../../shared/states.tsx';
import { useNamedForms } from '../../shared/use-named-forms.ts';
import { leadsByForm } from './chart-data.ts';
import { NoLeads } from './no-leads.tsx';
import type { OverviewReads } from './use-overview.ts';

type LeadsPanelProps = Pick<OverviewReads, 'stats' | 'forms'> & { readonly range: TimeRange };

export function LeadsPanel({ stats, forms, range }: LeadsPanelProps) {
  const total = stats.data?.total;
  const named = useNamedForms(forms.data?.forms, stats.data?.counts.map(({ formId }) => formId) ?? []);
  return (
    <Container
      header={
        <Header
          variant="h2"
          counter={total && `(${countLabel(total.accepted)})`}
          description={total && total.accepted > 0 && `${countLabel(total.clean)} of them clean.`}
        >
          Leads by form
        </Header>
      }
    >
      <WhenRead of={stats} what="the leads">
        {(read) => (
          <SpaceBetween size="m">
            <TruncatedNotice of={read} />
            {read.total.accepted === 0 ? (
              <NoLeads forms={forms.data?.forms ?? []} />
            ) : (
              <WhenRead of={forms} what="the forms">
                {() => (
                  <TimeChart
                    label="Leads by form"
                    series={leadsByForm(read, named, range.bucket)}
                    bucket={range.bucket}
                  />
                )}
              </WhenRead>
            )}
          </SpaceBetween>
        )}
      </WhenRead>
    </Container>
  );
}
