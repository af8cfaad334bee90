import SegmentedControl from '@cloudscape-design/components/segmented-control';
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
