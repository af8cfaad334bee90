const HOUR_SECONDS = 3_600;

export interface Grace {
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
