/** What is usual for a form on one surface: how many leads to expect at which hour of the week, and how long its gaps are. */
export interface Baseline {
  readonly formSurface: string;
  /** Leads per hour, one number for each of the 168 hours of a week, beginning on Thursday 00:00 UTC as the epoch does. */
  readonly hourly: readonly number[];
  /** How many leads come together: 1 if they come independently of each other. */
  readonly groupSize: number;
  /** The longest gap, in leads that would have been expected during it. */
  readonly longestGap: number;
  readonly leadsPerYear: number;
  /** Too short a history to know the days of the week: only the mean rate is known. */
  readonly young?: true | undefined;
}

/** Accepted leads of one hour. */
export interface HourCount {
  /** Whole hours since 1970. */
  readonly hour: number;
  readonly accepted: number;
}

const HOUR_MS = 60 * 60 * 1000;
const WEEK_HOURS = 168;

/** The history that a baseline is built from. */
export const BASELINE_DAYS = 28;
/** Less than this says nothing about the days of a week. */
const MIN_DAYS = 14;
const MIN_LEADS = 8;
/** Less than this says nothing at all. */
const MIN_YOUNG_LEADS = 3;

/** How many weeks the pattern by day and by hour counts for, against the weeks in which an hour itself was seen. */
const PATTERN_WEEKS = 2;

/** Undefined for a form whose history is too short or too thin to say what is usual. */
export function buildBaseline(
  formSurface: string,
  counts: readonly HourCount[],
  nowMilliseconds: number,
): Baseline | undefined {
  const end = Math.floor(nowMilliseconds / HOUR_MS);
  const seen = counts
    .filter(({ hour, accepted }) => accepted > 0 && hour < end && hour >= end - BASELINE_DAYS * 24)
    .sort((a, b) => a.hour - b.hour);
  const first = seen[0]?.hour ?? end;
  const total = sum(seen.map(({ accepted }) => accepted));
  if (total < MIN_LEADS || end - first < MIN_DAYS * 24) {
    return total < MIN_YOUNG_LEADS ? undefined : { formSurface, ...youngBaseline(seen, total) };
  }

  const hourly = expectedByHour(withoutOutliers(seen, (end - first) / WEEK_HOURS), end - first);
  const cumulative = accumulate(hourly);
  const gaps = seen.slice(1).map(({ hour }, index) => {
    const previous = seen[index]?.hour ?? hour;
    return expectedUntil(cumulative, hour * HOUR_MS) - expectedUntil(cumulative, (previous + 1) * HOUR_MS);
  });
  return {
    formSurface,
    hourly: hourly.map((each) => Number(each.toPrecision(3))),
    groupSize: round(
      Math.max(groupSize(hourly, { first, end, empty: end - first - seen.length }), tailOf(gaps)),
    ),
    longestGap: round(Math.max(...gaps)),
    leadsPerYear: Math.round(sum(hourly) * (365 / 7)),
  };
}

/** From the first lead to the last: a form that has gone silent since is still expected to send. */
function youngBaseline(seen: readonly HourCount[], total: number) {
  const hours = (seen.at(-1)?.hour ?? 0) - (seen[0]?.hour ?? 0) + 1;
  const rate = Number((total / hours).toPrecision(3));
  return {
    hourly: new Array<number>(WEEK_HOURS).fill(rate),
    groupSize: round(total / seen.length),
    longestGap: 0,
    leadsPerYear: Math.round(rate * 24 * 365),
    young: true,
  } as const;
}

/** A campaign must not make its hour expect another one every week. */
const OUTLIER_FACTOR = 3;
const OUTLIER_EXTRA = 1;

/** An hour counts for little more than three times what the same hour brings in a weak week. */
function withoutOutliers(seen: readonly HourCount[], weeks: number): HourCount[] {
  const bySlot = new Map<number, number[]>();
  for (const { hour, accepted } of seen) {
    const slot = hour % WEEK_HOURS;
    bySlot.set(slot, [...(bySlot.get(slot) ?? []), accepted]);
  }
  return seen.map((count) => {
    const strongFirst = (bySlot.get(count.hour % WEEK_HOURS) ?? []).sort((a, b) => b - a);
    const weak = strongFirst[Math.ceil(weeks) - 2] ?? 0;
    return { ...count, accepted: Math.min(count.accepted, OUTLIER_EXTRA + OUTLIER_FACTOR * weak) };
  });
}

/**
 * A month has each hour of the week only four times. So the mean of those four is mixed with what the day's and the
 * hour's own shares would give.
 */
function expectedByHour(seen: readonly HourCount[], hours: number): number[] {
  const slots = new Array<number>(WEEK_HOURS).fill(0);
  const [byDay, byHour] = [new Array<number>(7).fill(0), new Array<number>(24).fill(0)];
  for (const { hour, accepted } of seen) {
    const slot = hour % WEEK_HOURS;
    slots[slot] = (slots[slot] ?? 0) + accepted;
    byDay[Math.floor(slot / 24)] = (byDay[Math.floor(slot / 24)] ?? 0) + accepted;
    byHour[slot % 24] = (byHour[slot % 24] ?? 0) + accepted;
  }
  const total = sum(slots);
  const weeks = hours / WEEK_HOURS;
  const means = slots.map((accepted, slot) => {
    const pattern = ((byDay[Math.floor(slot / 24)] ?? 0) * (byHour[slot % 24] ?? 0)) / total / weeks;
    return (accepted + PATTERN_WEEKS * pattern) / (weeks + PATTERN_WEEKS);
  });
  // Campaigns that fell into the same hour by chance stand out from the hours around it.
  return means.map((mean, slot) => {
    const around = [-3, -2, -1, 0, 1, 2, 3].map((offset) => means.at((slot + offset) % WEEK_HOURS) ?? 0);
    const [, , , median = 0] = around.sort((a, b) => a - b);
    return Math.min(mean, OUTLIER_EXTRA + OUTLIER_FACTOR * median);
  });
}

const MAX_GROUP = 200;

/**
 * If leads come in groups, more hours are empty than the number of leads would suggest. This is the size of the groups
 * that explains the empty hours of the history.
 */
function groupSize(
  hourly: readonly number[],
  { first, end, empty }: { readonly first: number; readonly end: number; readonly empty: number },
): number {
  const emptyHours = (size: number) => {
    let total = 0;
    for (let hour = first; hour < end; hour += 1) total += Math.exp(-(hourly[hour % WEEK_HOURS] ?? 0) / size);
    return total;
  };
  let [low, high] = [1, MAX_GROUP];
  for (let step = 0; step < 20; step += 1) {
    const middle = (low + high) / 2;
    if (emptyHours(middle) < empty) low = middle;
    else high = middle;
  }
  return low;
}

/** By how much the longer half of the gaps exceeds the shorter half, on average: 1 for independent leads. */
function tailOf(gaps: readonly number[]): number {
  const longer = gaps.filter((gap) => gap > 0).sort((a, b) => a - b);
  const median = longer[Math.floor(longer.length / 2)] ?? 0;
  const excesses = longer.slice(Math.floor(longer.length / 2) + 1).map((gap) => gap - median);
  return (sum(excesses) + PRIOR_GAPS) / (excesses.length + PRIOR_GAPS);
}

/** A few gaps of a form whose leads come independently: a handful of gaps says little about long ones. */
const PRIOR_GAPS = 3;

/** The leads that a form would usually have received between two moments. */
export function expectedLeads({ hourly }: Pick<Baseline, 'hourly'>, from: number, to: number): number {
  const cumulative = cumulativeOf(hourly);
  return expectedUntil(cumulative, to) - expectedUntil(cumulative, from);
}

const known = new WeakMap<readonly number[], readonly number[]>();

function cumulativeOf(hourly: readonly number[]): readonly number[] {
  const found = known.get(hourly) ?? accumulate(hourly);
  known.set(hourly, found);
  return found;
}

/** Sums up to the beginning of each hour of the week, and of the whole week at the end. */
function accumulate(hourly: readonly number[]): number[] {
  const sums = [0];
  for (const each of hourly) sums.push((sums.at(-1) as number) + each);
  return sums;
}

function expectedUntil(cumulative: readonly number[], atMilliseconds: number): number {
  const hours = atMilliseconds / HOUR_MS;
  const weeks = Math.floor(hours / WEEK_HOURS);
  const rest = hours - weeks * WEEK_HOURS;
  const slot = Math.floor(rest);
  const [before = 0, after = before] = [cumulative[slot], cumulative[slot + 1]];
  return weeks * (cumulative[WEEK_HOURS] as number) + before + (rest - slot) * (after - before);
}

/** How often per year a silence may be taken for unusual though it came about by chance. */
const CHANCES_PER_YEAR = 0.1;
/** How much longer than the longest gap of a month a silence must be. */
const BEYOND_LONGEST = 2;
/** Limits the effect of the longest gap: it may be a past outage, which must not hide the next one. */
const MAX_GROUPS = 16;

/**
 * From how many missing leads on a silence is unusual. If leads come independently, a gap worth `n` leads has the
 * probability e^-n; leads that come in groups make gaps longer in proportion to the groups.
 */
export function unusualGap({ groupSize: size, longestGap, leadsPerYear }: Baseline): number {
  const byChance = size * Math.log(Math.max(leadsPerYear / size, 10) / CHANCES_PER_YEAR);
  return Math.max(byChance, Math.min(longestGap * BEYOND_LONGEST, size * MAX_GROUPS));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function round(number: number): number {
  return Math.round(number * 1000) / 1000;
}
