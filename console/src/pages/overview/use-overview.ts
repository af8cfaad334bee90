import { useForms, useRead, useWorkspace } from '../../api/queries.ts';
import type { Delivery, Diagnostics, Stats, Token } from '../../api/types.ts';
import { useNow, usePreviousData } from '../../shared/time-chart.tsx';
import { rangeStart, type TimeRange } from '../../shared/time-series.ts';

const LIMITS_EVERY_MS = 10_000;
const REST = { refetchInterval: 60_000 };

/** Six requests for the whole page, plus one if archived forms had leads. */
export function useOverview(range: TimeRange) {
  const now = useNow();
  const from = rangeStart(range, now);
  const by = range.bucket === 'day' ? 'day' : 'hour';
  return {
    now,
    workspace: useWorkspace({ refetchInterval: LIMITS_EVERY_MS }),
    forms: useForms(),
    deliveries: useRead<{ deliveries: Delivery[] }>('/settings/deliveries', {}, REST),
    tokens: useRead<{ tokens: Token[] }>('/settings/tokens', {}, REST),
    stats: usePreviousData(useRead<Stats>('/settings/stats', { from, by }, REST)),
    // Hourly even if days are shown, since spikes are found by hour.
    diagnostics: usePreviousData(useRead<Diagnostics>('/settings/diagnostics', { from, by: 'hour' }, REST)),
  };
}

export type OverviewReads = ReturnType<typeof useOverview>;
