import Alert from '@cloudscape-design/components/alert';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import { Moment } from '../moment.tsx';
import type { TimeRange } from './time-ranges.ts';

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
