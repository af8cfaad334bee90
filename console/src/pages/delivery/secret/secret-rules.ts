import type { Delivery } from '#console/api/types.ts';

const HOUR_SECONDS = 3_600;

interface Grace {
  readonly seconds: number;
  readonly label: string;
  readonly description: string;
}

export const SUGGESTED_GRACE_SECONDS = 24 * HOUR_SECONDS;

/** How long the old secret goes on working beside the new one. */
export const GRACES: readonly Grace[] = [
  {
    seconds: 0,
    label: 'None',
    description: 'The old secret ends at once. For a secret that has got into the wrong hands.',
  },
  {
    seconds: HOUR_SECONDS,
    label: '1 hour',
    description: 'For one sender that you change over right now.',
  },
  {
    seconds: SUGGESTED_GRACE_SECONDS,
    label: '24 hours (suggested)',
    description: 'Time to change over every sender without losing a lead.',
  },
  {
    seconds: 7 * 24 * HOUR_SECONDS,
    label: '7 days',
    description: 'For senders that somebody else has to change over.',
  },
];

/** As the settings API judges it, so that it is said before the secret is sent anywhere. */
export function ownSecretProblem(secret: string): string | undefined {
  const { length } = [...secret];
  if (secret.trim() !== secret) return 'There is white space around it. Take it away.';
  if (length < 16) return 'Use at least 16 characters.';
  if (length > 200) return 'Use at most 200 characters.';
  return undefined;
}

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
