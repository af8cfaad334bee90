import Alert from '@cloudscape-design/components/alert';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import Grid from '@cloudscape-design/components/grid';
import Header from '@cloudscape-design/components/header';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Surface, WindowUse, Workspace } from '../../api/types.ts';
import { SURFACE_NAMES } from '../../shared/display-text.ts';
import { QueryResult } from '../../shared/states.tsx';
import { RangeChoice } from '../../shared/time-chart.tsx';
import {
  DAY_BY_HOUR,
  findRange,
  formatCount,
  MONTH_BY_DAY,
  type TimeRange,
  WEEK_BY_DAY,
  WEEK_BY_HOUR,
} from '../../shared/time-series.ts';
import { useUrlParameters } from '../../shared/url-parameters.ts';
import { Link } from '../../shell/link.tsx';
import { Page } from '../../shell/page.tsx';
import { OpenAlerts, useOpenAlerts } from '../alerts/open-alerts.tsx';
import { NeverWorkedNotices } from '../diagnostics/never-worked-notice.tsx';
import {
  LeadsPanel,
  NoForms,
  OutcomePanel,
  type OverviewReads,
  ScoresPanel,
  useOverview,
} from './chart-panels.tsx';
import { Checklist } from './onboarding/checklist.tsx';
import { busiestFirst } from './onboarding/progress.ts';

const RANGES = [DAY_BY_HOUR, WEEK_BY_DAY, WEEK_BY_HOUR, MONTH_BY_DAY] as const;

export default function OverviewPage() {
  const [parameters, choose] = useUrlParameters();
  const range = findRange(parameters.get('range'), RANGES);
  return (
    <Page
      title="Overview"
      actions={<RangeChoice ranges={RANGES} chosen={range} onChoose={(id) => choose({ range: id })} />}
    >
      <Dashboard key={range.id} range={range} />
    </Page>
  );
}

/** Each panel loads and fails independently. */
function Dashboard({ range }: { readonly range: TimeRange }) {
  const { forms, stats, diagnostics, workspace } = useOverview(range);
  const half = { default: 12, xs: 6 };
  const workspaceId = workspace.data?.workspaceId;
  if (forms.data?.forms.length === 0) return <NoForms workspaceId={workspaceId} />;
  return (
    <SpaceBetween size="l">
      {workspace.data?.status === 'suspended' && (
        <Alert type="error" header="Workspace suspended">
          All submissions are rejected. Ask the service operator to resume it.
        </Alert>
      )}
      {workspaceId !== undefined && forms.data && stats.data && (
        <Checklist
          workspaceId={workspaceId}
          formIds={busiestFirst(
            forms.data.forms.map(({ formId }) => formId),
            stats.data.counts,
          )}
        />
      )}
      <NeverWorkedNotices />
      <AlertsPanel />
      <LeadsPanel stats={stats} forms={forms} range={range} />
      <Grid gridDefinition={[{ colspan: half }, { colspan: half }]}>
        <OutcomePanel stats={stats} diagnostics={diagnostics} range={range} />
        <ScoresPanel stats={stats} />
      </Grid>
      <LimitsPanel workspace={workspace} />
    </SpaceBetween>
  );
}

function LimitsPanel({ workspace }: Pick<OverviewReads, 'workspace'>) {
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="Submissions over a limit are rejected. Server tokens, webhooks and browsers are counted separately."
        >
          Usage
        </Header>
      }
    >
      <QueryResult of={workspace} what="the limits">
        {({ surfaces }) => (
          <ColumnLayout columns={2}>
            {surfaces
              .filter(isShown)
              .flatMap(({ surface, minute, day }) => [
                <LimitUse key={`${surface}-minute`} surface={surface} window="this minute" use={minute} />,
                <LimitUse key={`${surface}-day`} surface={surface} window="today (UTC)" use={day} />,
              ])}
          </ColumnLayout>
        )}
      </QueryResult>
    </Container>
  );
}

/** Most workspaces don’t send from browsers, which is a preview. */
const isShown = ({ surface, day }: Workspace['surfaces'][number]) => surface !== '2' || day.used > 0;

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

const SHOWN_AT_ONCE = 5;

function AlertsPanel() {
  const read = useOpenAlerts();
  const count = read.data?.alerts.length ?? 0;
  return (
    <Container
      header={
        <Header
          variant="h2"
          counter={count > 0 ? `(${count})` : undefined}
          actions={<Link href="/alerts">All alerts</Link>}
        >
          Alerts
        </Header>
      }
    >
      <QueryResult of={read} what="the alerts">
        {({ alerts }) => (
          <SpaceBetween size="m">
            <OpenAlerts alerts={alerts.slice(0, SHOWN_AT_ONCE)} />
            {count > SHOWN_AT_ONCE && <Link href="/alerts">{`${count - SHOWN_AT_ONCE} more`}</Link>}
          </SpaceBetween>
        )}
      </QueryResult>
    </Container>
  );
}
