import DateRangePicker from '@cloudscape-design/components/date-range-picker';
import FormField from '@cloudscape-design/components/form-field';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { type DayRange, dayRangeProblem, type InboxFilter, PRESETS, type Preset } from './inbox-filter.ts';

const NAMES: Readonly<Record<Preset, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};
const ALL = 'all';
const RANGE = 'range';
const OPTIONS = [
  { id: ALL, text: 'Any time' },
  ...PRESETS.map((id) => ({ id, text: NAMES[id] })),
  { id: RANGE, text: 'Range' },
];

interface PeriodChoiceProps {
  readonly period: InboxFilter['period'];
  /** Where it is narrow, the control shows its label itself. */
  readonly isWide: boolean;
  readonly onChoose: (period: InboxFilter['period']) => void;
}

/** When the leads were received. "Range" asks for two days. */
export function PeriodChoice({ period, isWide, onChoose }: PeriodChoiceProps) {
  const [asksRange, setAsksRange] = useState(false);
  const range = typeof period === 'object' ? period : undefined;
  const showsRange = range !== undefined || (asksRange && period === undefined);
  const selected = showsRange ? RANGE : typeof period === 'string' ? period : ALL;
  return (
    <FormField label={isWide && 'Received'} stretch>
      <SpaceBetween direction="horizontal" size="xs">
        <SegmentedControl
          label="Received"
          selectedId={selected}
          options={OPTIONS}
          onChange={({ detail: { selectedId } }) => {
            setAsksRange(selectedId === RANGE);
            onChoose(PRESETS.find((preset) => preset === selectedId));
          }}
        />
        {showsRange && <RangePicker range={range} onChoose={onChoose} />}
      </SpaceBetween>
    </FormField>
  );
}

interface RangePickerProps {
  readonly range: DayRange | undefined;
  readonly onChoose: (range: DayRange | undefined) => void;
}

const daysOf = (value: { readonly startDate: string; readonly endDate: string }): DayRange => ({
  firstDay: value.startDate,
  lastDay: value.endDate,
});

function RangePicker({ range, onChoose }: RangePickerProps) {
  return (
    <DateRangePicker
      value={range ? { type: 'absolute', startDate: range.firstDay, endDate: range.lastDay } : null}
      relativeOptions={[]}
      rangeSelectorMode="absolute-only"
      dateOnly
      absoluteFormat="long-localized"
      placeholder="Choose the days"
      isValidRange={(value) => {
        const problem =
          value?.type === 'absolute' ? dayRangeProblem(daysOf(value)) : 'Choose a first and a last day.';
        return problem === undefined ? { valid: true } : { valid: false, errorMessage: problem };
      }}
      onChange={({ detail: { value } }) => onChoose(value?.type === 'absolute' ? daysOf(value) : undefined)}
    />
  );
}
