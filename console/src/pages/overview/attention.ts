import { REASON_GUIDE } from '#rejections/reason-guide.ts';
import { REASONS, type Reason, type RecordedReason } from '#rejections/reasons.ts';
import type { WindowUse } from '../../api/types.ts';
import { SURFACE_NAMES } from '../../shared/surface-names.ts';
import {
  type Attention,
  endingRotations,
  formsWithoutSecret,
  type OverviewData,
  type Severity,
} from './attention-secrets.ts';

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

const ORDER: readonly Severity[] = ['error', 'warning', 'info'];

/** The worst first. */
export function findAttention(known: OverviewData): Attention[] {
  const found = [
    ...suspension(known),
    ...limitsNearlyUsed(known),
    ...endingRotations(known),
    ...formsWithoutSecret(known),
    ...spikes(known),
  ];
  return found.sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}

function suspension({ workspace }: Pick<OverviewData, 'workspace'>): Attention[] {
  if (workspace?.status !== 'suspended') return [];
  return [
    {
      id: 'suspended',
      severity: 'error',
      title: 'Workspace suspended',
      detail: 'All submissions are rejected. Ask the service operator to resume it.',
      link: { text: 'View rejections', href: '/tokens/diagnostics?reason=workspace_suspended' },
    },
  ];
}

const NEARLY_USED = 0.8;
const COUNT = new Intl.NumberFormat('en');

function limitsNearlyUsed({ workspace }: Pick<OverviewData, 'workspace'>): Attention[] {
  return (workspace?.surfaces ?? []).flatMap(({ surface, minute, day }) => {
    const windows = [
      { name: 'per-minute', use: minute, wait: 'the next minute' },
      { name: 'daily', use: day, wait: 'midnight UTC' },
    ];
    return windows.flatMap(({ name, use, wait }): Attention[] => {
      if (use.used <= use.limit * NEARLY_USED) return [];
      const reached = use.used >= use.limit;
      return [
        {
          id: `limit-${surface}-${name}`,
          severity: reached ? 'error' : 'warning',
          title: `${SURFACE_NAMES[surface]}: ${name} limit ${reached ? 'reached' : 'almost reached'}`,
          detail: `${share(use)} ${reached ? `Further submissions are rejected until ${wait}.` : 'Submissions over the limit are rejected.'}`,
          link: { text: 'View diagnostics', href: `/tokens/diagnostics?surface=${surface}` },
        },
      ];
    });
  });
}

function share({ used, limit }: WindowUse): string {
  return `${COUNT.format(used)} of ${COUNT.format(limit)} used.`;
}

interface Read {
  readonly data: unknown;
  readonly isPending: boolean;
}

/** Which queries are still loading and which failed. Stale data counts as loaded. */
export function readStatus<T extends Read>(reads: readonly T[]) {
  const unread = reads.filter(({ data }) => data === undefined);
  const failed = unread.filter(({ isPending }) => !isPending);
  return { isWaiting: failed.length < unread.length, isNothing: failed.length === reads.length, failed };
}
