import { useForms, useRead, useWorkspace } from '../../api/queries.ts';
import type { Diagnostics, Stats } from '../../api/types.ts';
import { useNow, usePreviousData } from '../../shared/time-chart.tsx';
import { rangeStart, type TimeRange } from '../../shared/time-series.ts';

const LIMITS_EVERY_MS = 10_000;
const REST = { refetchInterval: 60_000 };

/**
 * With the alerts, five requests for the whole page, plus one if archived forms had leads, those of the checklist until
 * the first real lead, and one to three for senders that have never worked.
 */
export function useOverview(range: TimeRange) {
  const from = rangeStart(range, useNow());
  const by = range.bucket === 'day' ? 'day' : 'hour';
  return {
    workspace: useWorkspace({ refetchInterval: LIMITS_EVERY_MS }),
    forms: useForms(),
    stats: usePreviousData(useRead<Stats>('/settings/stats', { from, by }, REST)),
    // Rejections are not counted by day. The chart sums hours.
    diagnostics: usePreviousData(useRead<Diagnostics>('/settings/diagnostics', { from, by: 'hour' }, REST)),
  };
}

export type OverviewReads = ReturnType<typeof useOverview>;
