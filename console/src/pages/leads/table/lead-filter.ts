import type { Query } from '#console/api/client.ts';

/** The value of Cloudscape's date range picker. */
export type Received =
  | { readonly type: 'relative'; readonly amount: number; readonly unit: Unit }
  | { readonly type: 'absolute'; readonly startDate: string; readonly endDate: string };

export interface LeadFilter {
  readonly received?: Received | undefined;
  readonly clean?: boolean | undefined;
  readonly minScore?: number | undefined;
  readonly maxScore?: number | undefined;
}

const MINUTE_MS = 60_000;

const UNITS = {
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: 24 * 60 * MINUTE_MS,
  week: 7 * 24 * 60 * MINUTE_MS,
} as const;

type Unit = keyof typeof UNITS;

export const UNIT_NAMES = Object.keys(UNITS) as Unit[];

/** Reads the filter from the URL. Invalid values count as not set. */
export function readFilter(address: URLSearchParams): LeadFilter {
  return {
    received: readReceived(address),
    clean: readFlag(address.get('clean')),
    minScore: readScore(address.get('minScore') ?? ''),
    maxScore: readScore(address.get('maxScore') ?? ''),
  };
}

/** The inverse of `readFilter`; equal filters give equal URLs. */
export function writeFilter({ received, clean, minScore, maxScore }: LeadFilter): URLSearchParams {
  const address = new URLSearchParams();
  if (received?.type === 'relative') address.set('last', `${received.amount}-${received.unit}`);
  if (received?.type === 'absolute') {
    address.set('from', received.startDate);
    address.set('to', received.endDate);
  }
  if (clean !== undefined) address.set('clean', String(clean));
  if (minScore !== undefined) address.set('minScore', String(minScore));
  if (maxScore !== undefined) address.set('maxScore', String(maxScore));
  return address;
}

/** The API query. A range that ends now is left open, to include new leads. */
export function toQuery({ received, ...rest }: LeadFilter, now: number): Query {
  if (received === undefined) return rest;
  if (received.type === 'absolute') return { from: received.startDate, to: received.endDate, ...rest };
  const from = Math.max(0, now - received.amount * UNITS[received.unit]);
  return { from: new Date(from).toISOString(), ...rest };
}

export function isFiltered(filter: LeadFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

export function readScore(text: string): number | undefined {
  const score = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  return score <= 100 ? score : undefined;
}

/** The error of a chosen range, if any. */
export function dateRangeProblem(received: Received | null): string | undefined {
  if (received === null) return 'Choose a range.';
  if (received.type === 'relative')
    return readLast(`${received.amount}-${received.unit}`) ? undefined : 'Enter a whole number.';
  const { startDate, endDate } = received;
  if (!isMoment(startDate) || !isMoment(endDate)) return 'Choose a start and an end.';
  return Date.parse(startDate) < Date.parse(endDate) ? undefined : 'The end must be after the start.';
}

function readReceived(address: URLSearchParams): Received | undefined {
  const last = readLast(address.get('last') ?? '');
  if (last) return last;
  const [startDate = '', endDate = ''] = [address.get('from') ?? '', address.get('to') ?? ''];
  const range = { type: 'absolute', startDate, endDate } as const;
  return dateRangeProblem(range) === undefined ? range : undefined;
}

function readLast(text: string): Received | undefined {
  const [, amount, unit = ''] = /^([1-9]\d{0,5})-([a-z]+)$/.exec(text) ?? [];
  if (amount === undefined || !Object.hasOwn(UNITS, unit)) return undefined;
  return { type: 'relative', amount: Number(amount), unit: unit as Unit };
}

function readFlag(text: string | null): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

/** With an offset, as the API requires. */
function isMoment(text: string): boolean {
  const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/;
  return shape.test(text) && Date.parse(text) >= 0;
}
