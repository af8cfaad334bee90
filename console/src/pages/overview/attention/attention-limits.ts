import type { WindowUse } from '#console/api/types.ts';
import { SURFACE_NAMES } from '#console/shared/surface-names.ts';
import type { Attention, Known } from './known.ts';

const NEARLY_USED = 0.8;
const COUNT = new Intl.NumberFormat('en');

export function limitsNearlyUsed({ workspace }: Pick<Known, 'workspace'>): Attention[] {
  return (workspace?.surfaces ?? []).flatMap(({ surface, minute, day }) => {
    const windows = [
      { name: 'minute', use: minute, wait: 'the next minute' },
      { name: 'day', use: day, wait: 'midnight UTC' },
    ];
    return windows.flatMap(({ name, use, wait }): Attention[] => {
      if (use.used <= use.limit * NEARLY_USED) return [];
      const reached = use.used >= use.limit;
      return [
        {
          id: `limit-${surface}-${name}`,
          severity: reached ? 'error' : 'warning',
          title: `${SURFACE_NAMES[surface]}: limit of a ${name} ${reached ? 'reached' : 'nearly reached'}`,
          detail: `${share(use)} ${reached ? `All else is rejected until ${wait}.` : 'What goes over it is rejected.'}`,
          link: { text: 'See who sends', href: `/tokens/diagnostics?surface=${surface}` },
        },
      ];
    });
  });
}

function share({ used, limit }: WindowUse): string {
  return `${COUNT.format(used)} of ${COUNT.format(limit)} used.`;
}
