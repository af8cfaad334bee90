/** Whether this moment has room for so many units; taken if so. */
export type Budget = (now: number, units?: number) => boolean;

/** No more than so many in any second: the strict reading, without the burst capacity that DynamoDB often lends. */
export function perSecond(units: number): Budget {
  const taken: number[] = [];
  let oldest = 0;
  return (now, wanted = 1) => {
    while (oldest < taken.length && (taken[oldest] as number) <= now - 1_000) oldest += 1;
    if (taken.length - oldest + wanted > units) return false;
    for (let unit = 0; unit < wanted; unit += 1) taken.push(now);
    return true;
  };
}

export function tokenBucket({ size, perSecond: refill }: { size: number; perSecond: number }): Budget {
  let tokens = size;
  let filledAt = 0;
  return (now, wanted = 1) => {
    tokens = Math.min(size, tokens + ((now - filledAt) * refill) / 1_000);
    filledAt = now;
    if (tokens < wanted) return false;
    tokens -= wanted;
    return true;
  };
}
