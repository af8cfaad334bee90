import { REASON_GUIDE } from '#rejections/reason-guide.ts';
import { REASONS, type Reason, type RecordedReason } from '#rejections/reasons.ts';
import type { Attention, OverviewData } from './attention-secrets.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Fewer rejections are not a spike, even in a quiet workspace. */
const LEAST = 10;
const TIMES_USUAL = 3;
const HOURS_BEFORE = 22;

/** Reasons that are far more frequent in this or the last hour than in the day before. */
export function spikes({ diagnostics, now }: Pick<OverviewData, 'diagnostics' | 'now'>): Attention[] {
  if (!diagnostics) return [];
  const lastHour = Math.floor(now / HOUR_MS) - 1;
  const firstComplete = Math.ceil(Date.parse(diagnostics.completeFrom) / HOUR_MS);
  const hoursBefore = Math.min(HOURS_BEFORE, lastHour - firstComplete);
  // Nothing to compare with.
  if (hoursBefore < 1) return [];
  const byReason = hourlyByReason(diagnostics);
  return REASONS.flatMap((reason): Attention[] => {
    const hours = byReason.get(reason);
    if (!hours) return [];
    const recent = Math.max(hours.get(lastHour) ?? 0, hours.get(lastHour + 1) ?? 0);
    const before = Array.from({ length: hoursBefore }, (_, back) => hours.get(lastHour - 1 - back) ?? 0);
    const usual = before.reduce((sum, count) => sum + count, 0) / hoursBefore;
    return recent >= LEAST && recent >= TIMES_USUAL * usual ? [spike(reason, recent, usual)] : [];
  });
}

function spike(reason: Reason, recent: number, usual: number): Attention {
  const compared =
    usual === 0 ? 'none in the previous day' : `up from about ${rounded(usual)} per hour in the previous day`;
  return {
    id: `spike-${reason}`,
    severity: 'warning',
    title: `Spike in rejections: ${REASON_GUIDE[reason].title}`,
    detail: `${recent} in one hour, ${compared}. ${REASON_GUIDE[reason].remedy}`,
    link: { text: 'View rejections', href: `/tokens/diagnostics?range=24h&reason=${reason}` },
  };
}

const rounded = (value: number) => (value < 10 ? Number(value.toFixed(1)) : Math.round(value));

function hourlyByReason(
  diagnostics: NonNullable<OverviewData['diagnostics']>,
): Map<RecordedReason, Map<number, number>> {
  const byReason = new Map<RecordedReason, Map<number, number>>();
  for (const { at, reason, count } of [...diagnostics.rejected.counts, ...diagnostics.rateLimited.counts]) {
    const hours = byReason.get(reason) ?? new Map<number, number>();
    byReason.set(reason, hours);
    const hour = Math.floor(Date.parse(at) / HOUR_MS);
    hours.set(hour, (hours.get(hour) ?? 0) + count);
  }
  return byReason;
}
