import Grid from '@cloudscape-design/components/grid';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { RangeChoice } from '../../shared/charts/range-controls.tsx';
import {
  DAY_BY_HOUR,
  findRange,
  MONTH_BY_DAY,
  type TimeRange,
  WEEK_BY_DAY,
  WEEK_BY_HOUR,
} from '../../shared/charts/time-ranges.ts';
import { useUrlParameters } from '../../shared/url-parameters.ts';
import { Page } from '../../shell/page.tsx';
import { AttentionPanel } from './attention/attention-panel.tsx';
import { LeadsPanel, OutcomePanel, ScoresPanel } from './chart-panels.tsx';
import { NoForms } from './empty-overview.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { useOverview } from './use-overview.ts';

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
  const reads = useOverview(range);
  const { forms, stats, diagnostics, workspace } = reads;
  const half = { default: 12, xs: 6 };
  if (forms.data?.forms.length === 0) return <NoForms />;
  return (
    <SpaceBetween size="l">
      <AttentionPanel reads={reads} />
      <LeadsPanel stats={stats} forms={forms} range={range} />
      <Grid gridDefinition={[{ colspan: half }, { colspan: half }]}>
        <OutcomePanel stats={stats} diagnostics={diagnostics} range={range} />
        <ScoresPanel stats={stats} />
      </Grid>
      <LimitsPanel workspace={workspace} />
    </SpaceBetween>
  );
}
