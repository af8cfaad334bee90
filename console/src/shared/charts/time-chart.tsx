import BarChart from '@cloudscape-design/components/bar-chart';
import { utc } from '../moment.tsx';
import { axisMaximum, bucketLabel, formatCount } from './axis-labels.ts';
import type { Series } from './stack-series.ts';
import type { Bucket } from './time-ranges.ts';

interface TimeChartProps {
  /** For screen readers: the same text as the header. */
  readonly label: string;
  readonly series: readonly Series[];
  readonly bucket: Bucket;
  readonly height?: number;
}

/** Stacked bars over time, with UTC in the popover. */
export default function TimeChart({ label, series, bucket, height = 220 }: TimeChartProps) {
  const first = series[0]?.data ?? [];
  const highest = Math.max(
    0,
    ...first.map((_, at) => series.reduce((sum, { data }) => sum + (data[at]?.y ?? 0), 0)),
  );
  return (
    <BarChart
      ariaLabel={label}
      series={series.map(({ title, data }) => ({ type: 'bar', title, data, valueFormatter: formatCount }))}
      xScaleType="categorical"
      xDomain={first.map(({ x }) => x)}
      yDomain={[0, axisMaximum(highest)]}
      xTickFormatter={(at) => bucketLabel(at, bucket)}
      yTickFormatter={formatCount}
      xTitle={bucket === 'day' ? 'Day (UTC)' : 'Local time'}
      detailPopoverFooter={(at) => utc(at.toISOString())}
      stackedBars
      hideFilter
      height={height}
    />
  );
}
