import { limitsNearlyUsed } from './attention-limits.ts';
import { endingRotations, formsWithoutSecret } from './attention-secrets.ts';
import { spikes } from './attention-spikes.ts';
import type { Attention, Known, Severity } from './known.ts';

const ORDER: readonly Severity[] = ['error', 'warning', 'info'];

/** The worst first. */
export function whatNeedsAttention(known: Known): Attention[] {
  const found = [
    ...suspension(known),
    ...limitsNearlyUsed(known),
    ...endingRotations(known),
    ...formsWithoutSecret(known),
    ...spikes(known),
  ];
  return found.sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}

function suspension({ workspace }: Pick<Known, 'workspace'>): Attention[] {
  if (workspace?.status !== 'suspended') return [];
  return [
    {
      id: 'suspended',
      severity: 'error',
      title: 'The workspace is suspended',
      detail: 'Every submission is rejected. Ask whoever runs this service to resume it.',
      link: { text: 'See what was rejected', href: '/tokens/diagnostics?reason=workspace_suspended' },
    },
  ];
}
