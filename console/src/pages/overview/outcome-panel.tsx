import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TimeChart from '../../shared/charts/time-chart.tsx';
import type { TimeRange } from '../../shared/charts/time-ranges.ts';
import { TruncatedNotice } from '../../shared/charts/truncated-notice.tsx';
import { WhenRead } from '../../shared/states.tsx';
import { Link } from '../../shell/link.tsx';
import { acceptedAndRejected } from './chart-data.ts';
import type { OverviewReads } from './use-overview.ts';

type OutcomePanelProps = Pick<OverviewReads, 'stats' | 'diagnostics'> & { readonly range: TimeRange };

export function OutcomePanel({ stats, diagnostics, range }: OutcomePanelProps) {
  return (
    <Container
      fitHeight
      header={
        <Header variant="h2" actions={<Link href="/tokens/diagnostics">Why rejected?</Link>}>
          Accepted and rejected
        </Header>
      }
    >
      <WhenRead of={stats} what="the leads">
        {(accepted) => (
          <WhenRead of={diagnostics} what="the rejections">
            {(rejected) => (
              <SpaceBetween size="m">
                <TruncatedNotice of={rejected} />
                {accepted.total.accepted + rejected.rejected.total + rejected.rateLimited.total === 0 ? (
                  <Box>Nothing came in during this time.</Box>
                ) : (
                  <TimeChart
                    label="Accepted and rejected"
                    series={acceptedAndRejected(accepted, rejected, range.bucket)}
                    bucket={range.bucket}
                  />
                )}
              </SpaceBetween>
            )}
          </WhenRead>
        )}
      </WhenRead>
    </Container>
  );
}
