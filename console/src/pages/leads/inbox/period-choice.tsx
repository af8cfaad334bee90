import DateRangePicker from '@cloudscape-design/components/date-range-picker';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { PRESET_NAMES } from './filter-chips.ts';
import { Choice } from './filter-fields.tsx';
import { type DayRange, dayRangeProblem, type InboxFilter, PRESETS } from './inbox-filter.ts';

const RANGE = 'range';

const OPTIONS = [
  ...PRESETS.map((value) => ({ value, label: PRESET_NAMES[value] })),
  { value: RANGE, label: 'Range' },
];

interface PeriodChoiceProps {
  readonly period: InboxFilter['period'];
  readonly onChoose: (period: InboxFilter['period']) => void;
}

/** When the leads were received. "Range" asks for two days. */
export function PeriodChoice({ period, onChoose }: PeriodChoiceProps) {
  const [asksRange, setAsksRange] = useState(false);
  const range = typeof period === 'object' ? period : undefined;
  const showsRange = range !== undefined || (asksRange && period === undefined);
  return (
    <SpaceBetween size="xs">
      <Choice
        label="Received"
        all="All time"
        options={OPTIONS}
        chosen={showsRange ? RANGE : (period as string | undefined)}
        onChoose={(chosen) => {
          setAsksRange(chosen === RANGE);
          onChoose(PRESETS.find((preset) => preset === chosen));
        }}
      />
      {showsRange && <RangePicker range={range} onChoose={onChoose} />}
    </SpaceBetween>
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
