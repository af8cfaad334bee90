/** What the score says about a lead, and what its author said. */
export interface Judged {
  readonly good: boolean;
  readonly score: number;
  readonly clean: boolean;
  readonly grade: string;
}

export interface Measures {
  readonly leads: number;
  /** How often a good lead scores higher than a bad one. */
  readonly auc: number;
  /** The share of good leads that are clean. */
  readonly goodKept: number;
  /** The share of bad leads that are not clean. */
  readonly badCaught: number;
  /** Of the clean leads, the share of good ones, if half and if four fifths of all submissions are bad. */
  readonly precisionAtHalf: number;
  readonly precisionAtFourFifths: number;
  readonly badGradedA: number;
}

export function measure(judged: readonly Judged[]): Measures {
  const good = judged.filter((each) => each.good);
  const bad = judged.filter((each) => !each.good);
  const goodKept = share(good, ({ clean }) => clean);
  const badKept = share(bad, ({ clean }) => clean);
  return {
    leads: judged.length,
    auc: auc(good, bad),
    goodKept,
    badCaught: 1 - badKept,
    precisionAtHalf: precision(goodKept, badKept, 0.5),
    precisionAtFourFifths: precision(goodKept, badKept, 0.8),
    badGradedA: share(bad, ({ grade }) => grade === 'A'),
  };
}

export function share<Item>(items: readonly Item[], has: (item: Item) => boolean): number {
  return items.length === 0 ? Number.NaN : items.filter(has).length / items.length;
}

function precision(goodKept: number, badKept: number, badShare: number): number {
  const [right, wrong] = [goodKept * (1 - badShare), badKept * badShare];
  return right / (right + wrong);
}

/** By ranks (Mann and Whitney); equal scores count half. */
function auc(good: readonly Judged[], bad: readonly Judged[]): number {
  const badBelow = new Map<number, { below: number; equal: number }>();
  const sorted = bad.map(({ score }) => score).sort((one, other) => one - other);
  let wins = 0;
  for (const { score } of good) {
    let seen = badBelow.get(score);
    if (!seen) {
      const below = sorted.findIndex((other) => other >= score);
      const equal = sorted.filter((other) => other === score).length;
      seen = { below: below < 0 ? sorted.length : below, equal };
      badBelow.set(score, seen);
    }
    wins += seen.below + seen.equal / 2;
  }
  return wins / (good.length * bad.length);
}

export interface Tenth {
  readonly from: number;
  readonly leads: number;
  /** Of the leads that score in this tenth, at an even mix of good and bad. */
  readonly goodShare: number;
  /** Wilson's interval for 95 %. */
  readonly low: number;
  readonly high: number;
  /** Whether the interval and the tenth have anything in common. */
  readonly agrees: boolean;
}

const Z = 1.96;

/** Whether a score of 70 to 80 means that 70 to 80 % of such leads are good. */
export function calibration(judged: readonly Judged[]): Tenth[] {
  const totals = {
    good: judged.filter(({ good }) => good).length,
    bad: judged.filter(({ good }) => !good).length,
  };
  return Array.from({ length: 10 }, (_, tenth) => {
    const from = tenth * 10;
    const inside = judged.filter(
      ({ score }) => score >= from && (score < from + 10 || (tenth === 9 && score === 100)),
    );
    const good = inside.filter((each) => each.good).length;
    // As if there were as many good leads as bad ones in all.
    const weighted = { good: good / totals.good, bad: (inside.length - good) / totals.bad };
    const goodShare = weighted.good / (weighted.good + weighted.bad);
    const { low, high } = wilson(goodShare, inside.length);
    return {
      from,
      leads: inside.length,
      goodShare,
      low,
      high,
      agrees: inside.length === 0 || (low <= (from + 10) / 100 && high >= from / 100),
    };
  });
}

function wilson(rate: number, count: number): { low: number; high: number } {
  if (count === 0) return { low: 0, high: 1 };
  const center = (rate + Z ** 2 / (2 * count)) / (1 + Z ** 2 / count);
  const half =
    (Z * Math.sqrt((rate * (1 - rate)) / count + Z ** 2 / (4 * count ** 2))) / (1 + Z ** 2 / count);
  return { low: center - half, high: center + half };
}
