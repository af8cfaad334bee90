import type { Delivery } from '#console/api/types.ts';

/** The secret from before the rotation, while its grace lasts. */
export function previousOf(delivery: Delivery) {
  return 'previousSecret' in delivery ? delivery.previousSecret : undefined;
}

/** Whether anybody still signs with the secret from before the rotation. */
export function previousUse(
  setAt: string | undefined,
  lastUsedAt: string | undefined,
): 'still' | 'before' | 'never' {
  if (lastUsedAt === undefined) return 'never';
  return setAt !== undefined && lastUsedAt >= setAt ? 'still' : 'before';
}
