import type { Delivery, Diagnostics, ListedForm, Token, Workspace } from '../../api/types.ts';
import { limitsNearlyUsed } from './attention-limits.ts';
import { endingRotations, formsWithoutSecret } from './attention-secrets.ts';
import { spikes } from './attention-spikes.ts';

/** One thing that an owner should look at, and where it is put right. */
export interface Attention {
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly detail: string;
  readonly link: { readonly text: string; readonly href: string };
}

export type Severity = 'error' | 'warning' | 'info';

/** What could be read. A rule whose facts are missing says nothing. */
export interface Known {
  readonly workspace: Workspace | undefined;
  readonly forms: readonly ListedForm[] | undefined;
  readonly deliveries: readonly Delivery[] | undefined;
  readonly tokens: readonly Token[] | undefined;
  /** By hour, a day or more. */
  readonly diagnostics: Diagnostics | undefined;
  readonly now: number;
}

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
