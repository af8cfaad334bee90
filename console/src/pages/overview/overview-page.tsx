import { RangeChoice } from '../../shared/charts/range-choice.tsx';
import {
  DAY_BY_HOUR,
  MONTH_BY_DAY,
  rangeNamed,
  WEEK_BY_DAY,
  WEEK_BY_HOUR,
} from '../../shared/charts/time-ranges.ts';
import { useUrlParameters } from '../../shared/url-parameters.ts';
import { Page } from '../../shell/page.tsx';
import { Dashboard } from './dashboard.tsx';

const RANGES = [DAY_BY_HOUR, WEEK_BY_DAY, WEEK_BY_HOUR, MONTH_BY_DAY] as const;

export default function OverviewPage() {
  const [parameters, choose] = useUrlParameters();
  const range = rangeNamed(parameters.get('range'), RANGES);
  return (
    <Page
      title="Overview"
      actions={<RangeChoice ranges={RANGES} chosen={range} onChoose={(id) => choose({ range: id })} />}
    >
      <Dashboard key={range.id} range={range} />
    </Page>
  );
}
