const DELAYS_SECONDS = [5, 20, 60, 180];

/** Longer with every receive, and spread: what failed together must not come back together. */
export function retryDelaySeconds(receiveCount: number, random: number): number {
  const at = Math.min(Math.max(receiveCount, 1), DELAYS_SECONDS.length) - 1;
  const delay = DELAYS_SECONDS[at] as number;
  return Math.ceil(delay * (0.5 + random / 2));
}
