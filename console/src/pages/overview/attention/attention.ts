import type { WindowUse } from '#console/api/types.ts';
import { SURFACE_NAMES } from '#console/shared/surface-names.ts';
import {
  type Attention,
  endingRotations,
  formsWithoutSecret,
  type OverviewData,
  type Severity,
} from './attention-secrets.ts';
import { spikes } from './attention-spikes.ts';

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
