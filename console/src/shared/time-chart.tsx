import Alert from '@cloudscape-design/components/alert';
import BarChart from '@cloudscape-design/components/bar-chart';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import { useEffect, useState } from 'react';
import { Moment, utc } from './moment.tsx';
import {
  axisMaximum,
  type Bucket,
  bucketLabel,
  formatCount,
  type Series,
  type TimeRange,
} from './time-series.ts';

interface TimeChartProps {
  /** For screen readers: the same text as the header. */
  readonly label: string;
  readonly series: readonly Series[];
  readonly bucket: Bucket;
  readonly height?: number;
}

/** Stacked bars over time, with UTC in the popover. */
export function TimeChart({ label, series, bucket, height = 220 }: TimeChartProps) {
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

interface RangeChoiceProps {
  readonly ranges: readonly TimeRange[];
  readonly chosen: TimeRange;
  readonly onChoose: (id: string) => void;
}

export function RangeChoice({ ranges, chosen, onChoose }: RangeChoiceProps) {
  return (
    <SegmentedControl
      label="Time range"
      selectedId={chosen.id}
      options={ranges.map(({ id, text }) => ({ id, text }))}
      onChange={({ detail }) => onChoose(detail.selectedId)}
    />
  );
}

interface TruncatedNoticeProps {
  readonly of: { readonly truncated: boolean; readonly completeFrom: string };
}

export function TruncatedNotice({ of: { truncated, completeFrom } }: TruncatedNoticeProps) {
  if (!truncated) return null;
  return (
    <Alert type="warning">
      Too much data to count. Counts before <Moment at={completeFrom} /> are incomplete. Choose a shorter time
      range.
    </Alert>
  );
}

const MINUTE_MS = 60_000;

/** The time, to about a minute. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Keeps showing the previous data while a moved time range loads. */
export function usePreviousData<Read extends { readonly data: unknown }>(read: Read): Read {
  const [kept, setKept] = useState(read.data);
  if (read.data !== undefined && read.data !== kept) setKept(read.data);
  return { ...read, data: read.data ?? kept };
}
