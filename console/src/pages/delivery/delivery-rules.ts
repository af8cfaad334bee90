import { ApiProblem } from '#console/api/problem.ts';
import type { Delivery } from '#console/api/types.ts';

const HOUR_SECONDS = 3_600;

interface Grace {
  readonly seconds: number;
  readonly label: string;
  readonly description: string;
}

export const SUGGESTED_GRACE_SECONDS = 24 * HOUR_SECONDS;

/** How long the current secret keeps working after a rotation. */
export const GRACE_PERIODS: readonly Grace[] = [
  {
    seconds: 0,
    label: 'None',
    description: 'The current secret stops working immediately. Choose this if it was leaked.',
  },
  {
    seconds: HOUR_SECONDS,
    label: '1 hour',
    description: 'If you’re updating one sender right now.',
  },
  {
    seconds: SUGGESTED_GRACE_SECONDS,
    label: '24 hours (recommended)',
    description: 'Enough time to update every sender without losing leads.',
  },
  {
    seconds: 7 * 24 * HOUR_SECONDS,
    label: '7 days',
    description: 'If someone else has to update the senders.',
  },
];

/** The same rules as in the settings API, checked before the secret is sent. */
export function ownSecretProblem(secret: string): string | undefined {
  const { length } = [...secret];
  if (secret.trim() !== secret) return 'Remove the whitespace around it.';
  if (length < 16) return 'Enter at least 16 characters.';
  if (length > 200) return 'Enter at most 200 characters.';
  return undefined;
}

/** The previous secret during its grace period. */
export function previousOf(delivery: Delivery) {
  return 'previousSecret' in delivery ? delivery.previousSecret : undefined;
}

/** Whether the previous secret is still used. */
export function previousUse(
  setAt: string | undefined,
  lastUsedAt: string | undefined,
): 'still' | 'before' | 'never' {
  if (lastUsedAt === undefined) return 'never';
  return setAt !== undefined && lastUsedAt >= setAt ? 'still' : 'before';
}

/** Origins contain no whitespace and no commas, so pasted lists work too. */
export function readOrigins(typed: string): string[] {
  return typed.split(/[\s,]+/).filter((entry) => entry !== '');
}

/** What the API says about the list, with the entry it is about. */
export function originsProblem(error: unknown, sent: readonly string[]): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  for (const { field, problem } of error.fields) {
    const [, index] = /^browser\.origins(?:\[(\d+)\])?$/.exec(field) ?? [];
    const entry = index === undefined ? undefined : sent[Number(index)];
    if (entry !== undefined) return `${entry} ${problem}.`;
    if (field === 'browser.origins') return `The list ${problem}.`;
  }
  return undefined;
}
