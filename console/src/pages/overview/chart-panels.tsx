import BarChart from '@cloudscape-design/components/bar-chart';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useNamedForms } from '../../api/queries.ts';
import { axisMaximum, formatCount } from '../../shared/charts/axis-labels.ts';
import { TruncatedNotice } from '../../shared/charts/range-controls.tsx';
import TimeChart from '../../shared/charts/time-chart.tsx';
import type { TimeRange } from '../../shared/charts/time-ranges.ts';
import { QueryResult } from '../../shared/states.tsx';
import { Link } from '../../shell/link.tsx';
import { acceptedAndRejected, leadsByForm, scoreBands } from './chart-data.ts';
import { NoLeads } from './empty-overview.tsx';
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
          counter={total && `(${formatCount(total.accepted)})`}
          description={total && total.accepted > 0 && `${formatCount(total.clean)} clean`}
        >
          Leads by form
        </Header>
      }
    >
      <QueryResult of={stats} what="the leads">
        {(read) => (
          <SpaceBetween size="m">
            <TruncatedNotice of={read} />
            {read.total.accepted === 0 ? (
              <NoLeads forms={forms.data?.forms ?? []} />
            ) : (
              <QueryResult of={forms} what="the forms">
                {() => (
                  <TimeChart
                    label="Leads by form"
                    series={leadsByForm(read, named, range.bucket)}
                    bucket={range.bucket}
                  />
                )}
              </QueryResult>
            )}
          </SpaceBetween>
        )}
      </QueryResult>
    </Container>
  );
}

type OutcomePanelProps = Pick<OverviewReads, 'stats' | 'diagnostics'> & { readonly range: TimeRange };

export function OutcomePanel({ stats, diagnostics, range }: OutcomePanelProps) {
  return (
    <Container
      fitHeight
      header={
        <Header variant="h2" actions={<Link href="/tokens/diagnostics">View rejections</Link>}>
          Accepted and rejected
        </Header>
      }
    >
      <QueryResult of={stats} what="the leads">
        {(accepted) => (
          <QueryResult of={diagnostics} what="the rejections">
            {(rejected) => (
              <SpaceBetween size="m">
                <TruncatedNotice of={rejected} />
                {accepted.total.accepted + rejected.rejected.total + rejected.rateLimited.total === 0 ? (
                  <Box>No submissions in this period.</Box>
                ) : (
                  <TimeChart
                    label="Accepted and rejected"
                    series={acceptedAndRejected(accepted, rejected, range.bucket)}
                    bucket={range.bucket}
                  />
                )}
              </SpaceBetween>
            )}
          </QueryResult>
        )}
      </QueryResult>
    </Container>
  );
}

export function ScoresPanel({ stats }: Pick<OverviewReads, 'stats'>) {
  return (
    <Container fitHeight header={<Header variant="h2">Scores</Header>}>
      <QueryResult of={stats} what="the scores">
        {(read) => {
          if (read.total.accepted === 0) return <Box>No leads in this period.</Box>;
          const data = scoreBands(read);
          return (
            <BarChart
              ariaLabel="Leads by score"
              series={[{ type: 'bar', title: 'Leads', data, valueFormatter: formatCount }]}
              xScaleType="categorical"
              xDomain={data.map(({ x }) => x)}
              yDomain={[0, axisMaximum(Math.max(...data.map(({ y }) => y)))]}
              yTickFormatter={formatCount}
              xTitle="Score (100 is best)"
              hideFilter
              hideLegend
              height={220}
            />
          );
        }}
      </QueryResult>
    </Container>
  );
}
