import type { Query } from '#console/api/client.ts';
import { ENRICHMENT_STATES, type EnrichmentState } from '#enrichment/enrichment-item.ts';

export const INBOX_PATH = '/settings/leads';
export const LEADS_PER_PAGE = 50;

export const PRESETS = ['today', 'yesterday', '7d', '30d'] as const;
export type Preset = (typeof PRESETS)[number];

/** Whole days, both included, as in `2026-11-15`. */
export interface DayRange {
  readonly firstDay: string;
  readonly lastDay: string;
}

export interface InboxFilter {
  /** Parts of a name, company, email address or phone number. */
  readonly q?: string | undefined;
  readonly form?: string | undefined;
  readonly period?: Preset | DayRange | undefined;
  readonly clean?: boolean | undefined;
  readonly minScore?: number | undefined;
  readonly maxScore?: number | undefined;
  readonly enrichment?: EnrichmentState | undefined;
  /** `todo`: not handled yet. */
  readonly status?: Status | undefined;
  /** Whether somebody gave a verdict. */
  readonly reviewed?: boolean | undefined;
  /** Not a filter. Undefined: newest first. */
  readonly sort?: 'score' | undefined;
}

export const STATUSES = ['new', 'todo', 'handled'] as const;
type Status = (typeof STATUSES)[number];

/** As the API counts them. */
const MAX_TEXT_LENGTH = 200;

/** Reads the filter from the URL. Invalid values count as not set. */
export function readFilter(address: URLSearchParams): InboxFilter {
  return {
    q: readWords(address.get('q') ?? ''),
    form: address.get('form') || undefined,
    period: readPeriod(address),
    clean: readFlag(address.get('clean')),
    minScore: readScore(address.get('minScore') ?? ''),
    maxScore: readScore(address.get('maxScore') ?? ''),
    enrichment: ENRICHMENT_STATES.find((state) => state === address.get('enrichment')),
    status: STATUSES.find((status) => status === address.get('status')),
    reviewed: readFlag(address.get('reviewed')),
    // The API sorts by score only within a period.
    sort: address.get('sort') === 'score' && readPeriod(address) !== undefined ? 'score' : undefined,
  };
}

/** The inverse of `readFilter`; equal filters give equal URLs. */
export function writeFilter({ period, ...filter }: InboxFilter): URLSearchParams {
  const days = typeof period === 'object' ? { from: period.firstDay, to: period.lastDay } : { period };
  const { q, form, ...rest } = filter;
  const given = Object.entries({ q, form, ...days, ...rest }).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
}

/** What was typed, as it is searched for. */
export function readWords(typed: string): string | undefined {
  const words = [...typed.trim().replace(/\s+/g, ' ')].slice(0, MAX_TEXT_LENGTH).join('').trim();
  return words === '' ? undefined : words;
}

/** Of Chinese, Japanese and Korean, one character is enough. */
const ENOUGH =
  /[\p{L}\p{N}].*[\p{L}\p{N}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Whether the API finds nothing for these words, however many leads there are. */
export function isTooShort(words: string | undefined): boolean {
  return words !== undefined && !ENOUGH.test(words.normalize('NFC'));
}

export function isFiltered({ sort: _sort, ...filter }: InboxFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

/** Sorting by score needs a period. */
export function withSort(filter: InboxFilter, sort: InboxFilter['sort']): InboxFilter {
  return { ...filter, sort, period: sort === undefined ? filter.period : (filter.period ?? '30d') };
}

export interface Clock {
  readonly now: number;
  /** The owner's choice for all times of the console. */
  readonly inUtc: boolean;
}

/** The API query. Days begin and end in the owner's time zone. */
export function toQuery({ period, ...filter }: InboxFilter, clock: Clock): Query {
  return { ...filter, ...timesOf(period, clock) };
}

/** What the page at an address asks for first. */
export function firstPageQuery(address: URLSearchParams, clock: Clock): Query {
  const cursor = address.get('cursor') ?? undefined;
  return { ...toQuery(readFilter(address), clock), cursor, limit: LEADS_PER_PAGE };
}

/** A period that ends today is left open, to include new leads. */
function timesOf(period: InboxFilter['period'], { now, inUtc }: Clock): { from?: string; to?: string } {
  const today = (daysLater: number) => startOfDay(new Date(now), daysLater, inUtc);
  switch (period) {
    case undefined:
      return {};
    case 'today':
      return { from: today(0) };
    case 'yesterday':
      return { from: today(-1), to: today(0) };
    case '7d':
      return { from: today(-6) };
    case '30d':
      return { from: today(-29) };
    default: {
      const [first, last] = [dayIn(period.firstDay, inUtc), dayIn(period.lastDay, inUtc)];
      return { from: startOfDay(first, 0, inUtc), to: startOfDay(last, 1, inUtc) };
    }
  }
}

/** By the calendar, since a day can have 23 or 25 hours. */
function startOfDay(of: Date, daysLater: number, inUtc: boolean): string {
  const start = inUtc
    ? new Date(Date.UTC(of.getUTCFullYear(), of.getUTCMonth(), of.getUTCDate() + daysLater))
    : new Date(of.getFullYear(), of.getMonth(), of.getDate() + daysLater);
  return start.toISOString();
}

const dayIn = (day: string, inUtc: boolean) => new Date(`${day}T00:00:00${inUtc ? 'Z' : ''}`);

export function readScore(text: string): number | undefined {
  const score = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  return score <= 100 ? score : undefined;
}

/** The error of a chosen range, if any. */
export function dayRangeProblem({ firstDay, lastDay }: DayRange): string | undefined {
  if (!isDay(firstDay) || !isDay(lastDay)) return 'Choose a first and a last day.';
  return firstDay <= lastDay ? undefined : 'The last day must not be before the first.';
}

function readPeriod(address: URLSearchParams): InboxFilter['period'] {
  const preset = PRESETS.find((one) => one === address.get('period'));
  if (preset) return preset;
  const range = { firstDay: address.get('from') ?? '', lastDay: address.get('to') ?? '' };
  return dayRangeProblem(range) === undefined ? range : undefined;
}

function readFlag(text: string | null): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

/** A day that exists, and that every time zone has in the API's range. */
function isDay(text: string): boolean {
  if (!/^(19[89]|20\d)\d-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
