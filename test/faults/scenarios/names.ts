/** Apart from the scenarios themselves, which may only be loaded in a thread of their own, with its own time. */
export const SCENARIO_NAMES = [
  ...[
    'duplicates',
    'retries',
    'minute-limit',
    'day-limit',
    'rollover',
    'below-the-limit',
    'hot-gate',
    'one-surface-full',
  ],
  ...['expired-record', 'key-after-a-day', 'owner-stops', 'owner-revokes', 'owner-rotates', 'after-the-202'],
  'recorder',
] as const;

export type ScenarioName = (typeof SCENARIO_NAMES)[number];
