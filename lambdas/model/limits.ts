/** The two ingest endpoints: `1a` for backends with a Bearer token, `1b` for providers that sign each request. */
export const SURFACES = ['1a', '1b'] as const;

export type Surface = (typeof SURFACES)[number];

/**
 * Also `1c`, for providers that sign in their own way and for tools that look only at the status, and `2`, a preview,
 * for browsers. Anybody can get a browser's token, so its senders are not authenticated.
 */
export const ALL_SURFACES = ['1a', '1b', '1c', '2'] as const;

export type AnySurface = (typeof ALL_SURFACES)[number];

/** The spec's numbers. No deployed bundle can change them. */
export const LIMITS = {
  submissionsPerMinute: 1_000,
  submissionsPerDay: 50_000,
  bodyBytes: 131_072,
  idempotencyKeyCharacters: 255,
  idempotencySeconds: 24 * 60 * 60,
  /** On Surface 1c, where providers repeat a delivery for up to three days. */
  deliverySeconds: 7 * 24 * 60 * 60,
  timestampToleranceSeconds: 300,
} as const;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The counters of one moment on one surface: attributes of the workspace, named by surface and window. */
export interface RateWindows {
  readonly minuteCounter: string;
  readonly dayCounter: string;
  readonly minuteEndsAt: number;
  readonly dayEndsAt: number;
}

/** Windows are fixed: the UTC minute and the UTC day. */
export function rateWindowsAt(surface: AnySurface, nowMilliseconds: number): RateWindows {
  const minute = Math.floor(nowMilliseconds / MINUTE_MS);
  const day = Math.floor(nowMilliseconds / DAY_MS);
  return {
    minuteCounter: `n${surface}m${minute}`,
    dayCounter: `n${surface}d${day}`,
    minuteEndsAt: (minute + 1) * MINUTE_MS,
    dayEndsAt: (day + 1) * DAY_MS,
  };
}

const COUNTER = /^n[12][abc]?([md])(\d+)$/;

/**
 * The counters that are no longer needed. One window back is kept: a request that crosses the boundary late would bring
 * a removed counter back at 1, and admit that window's limit a second time.
 */
export function expiredCounters(attributeNames: Iterable<string>, nowMilliseconds: number): string[] {
  const oldestMinute = Math.floor(nowMilliseconds / MINUTE_MS) - 1;
  const oldestDay = Math.floor(nowMilliseconds / DAY_MS) - 1;
  const expired: string[] = [];
  for (const name of attributeNames) {
    const counter = COUNTER.exec(name);
    if (!counter) continue;
    if (Number(counter[2]) < (counter[1] === 'm' ? oldestMinute : oldestDay)) expired.push(name);
  }
  return expired;
}

/** As DynamoDB's TTL counts time. */
export function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** The top-level key that marks a test sent from the console, with the value `true`. */
export const TEST_MARK = '_test';
