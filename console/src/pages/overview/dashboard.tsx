import Grid from '@cloudscape-design/components/grid';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TimeRange } from '../../shared/charts/time-ranges.ts';
import { AttentionPanel } from './attention/attention-panel.tsx';
import { LeadsPanel } from './leads-panel.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { NoForms } from './no-forms.tsx';
import { OutcomePanel } from './outcome-panel.tsx';
import { ScoresPanel } from './scores-panel.tsx';
import { useOverview } from './use-overview.ts';

/** Each panel waits and fails by itself. */
export function Dashboard({ range }: { readonly range: TimeRange }) {
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
