import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import type { Surface, WindowUse } from '../../api/types.ts';
import { formatCount } from '../../shared/charts/axis-labels.ts';
import { QueryResult } from '../../shared/states.tsx';
import { SURFACE_NAMES } from '../../shared/surface-names.ts';
import type { OverviewReads } from './use-overview.ts';

export function LimitsPanel({ workspace }: Pick<OverviewReads, 'workspace'>) {
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="Submissions over a limit are rejected. Server tokens and webhooks are counted separately."
        >
          Usage{' '}
        </Header>
      }
    >
      <QueryResult of={workspace} what="the limits">
        {({ surfaces }) => (
          <ColumnLayout columns={2}>
            {surfaces.flatMap(({ surface, minute, day }) => [
              <LimitUse key={`${surface}-minute`} surface={surface} window="this minute" use={minute} />,
              <LimitUse key={`${surface}-day`} surface={surface} window="today (UTC)" use={day} />,
            ])}
          </ColumnLayout>
        )}
      </QueryResult>
    </Container>
  );
}

interface LimitUseProps {
  readonly surface: Surface;
  readonly window: string;
  readonly use: WindowUse;
}

function LimitUse({ surface, window, use: { used, limit } }: LimitUseProps) {
  return (
    <ProgressBar
      label={`${SURFACE_NAMES[surface]}, ${window}`}
      value={Math.min(100, Math.round((used / limit) * 100))}
      additionalInfo={`${formatCount(used)} of ${formatCount(limit)}`}
    />
  );
}
