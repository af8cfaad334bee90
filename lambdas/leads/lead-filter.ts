import { createHash } from 'node:crypto';

/** The last moment that the 48 bits of a UUIDv7 can tell. */
const LAST_MILLISECOND = 2 ** 48 - 1;

export interface LeadIdRange {
  readonly oldest: string;
  readonly newest: string;
}

/**
 * The ids of the leads from one moment to before another, and older than a given one. Ids are lower-case hexadecimal
 * with hyphens in fixed places, so that their order as text is their order in time. Undefined when there can be none.
 */
export function leadIdRange(
  from: number | undefined,
  to: number | undefined,
  olderThan?: string,
): LeadIdRange | undefined {
  const firstMoment = Math.max(0, Math.ceil(from ?? 0));
  const lastMoment = Math.min(LAST_MILLISECOND, Math.ceil(to ?? LAST_MILLISECOND + 1) - 1);
  if (!(firstMoment <= lastMoment)) return undefined;
  const oldest = formatId(timeBits(firstMoment).padEnd(32, '0'));
  const newest = formatId(timeBits(lastMoment).padEnd(32, 'f'));
  if (olderThan === undefined) return { oldest, newest };
  const before = idBefore(olderThan);
  if (before === undefined || before < oldest) return undefined;
  return { oldest, newest: before < newest ? before : newest };
}

function timeBits(milliseconds: number): string {
  return milliseconds.toString(16).padStart(12, '0');
}

/**
 * The greatest id below this one. BETWEEN includes both ends, so a page ends at this id. Unlike a starting key of
 * DynamoDB, it works even if the lead has been deleted.
 */
export function idBefore(leadId: string): string | undefined {
  const number = BigInt(`0x${leadId.replaceAll('-', '')}`);
  return number === 0n ? undefined : formatId((number - 1n).toString(16).padStart(32, '0'));
}

/** The least id above this one. */
export function idAfter(leadId: string): string {
  const number = BigInt(`0x${leadId.replaceAll('-', '')}`);
  return formatId((number + 1n).toString(16).padStart(32, '0'));
}

function formatId(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Which leads are asked for. Times in milliseconds; `from` is inside, `to` is not. Scores are inside at both ends. */
export interface LeadFilter {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly clean?: boolean | undefined;
  readonly scoreAtLeast?: number | undefined;
  readonly scoreAtMost?: number | undefined;
}

/** Whether the filter excludes some leads of the time range, so that more must be read than are returned. */
export function isSelective({ clean, scoreAtLeast, scoreAtMost }: LeadFilter): boolean {
  return clean !== undefined || scoreAtLeast !== undefined || scoreAtMost !== undefined;
}

/** Ties a cursor to its filter: continuing under another would silently skip leads. */
export function filterMark({ from, to, clean, scoreAtLeast, scoreAtMost }: LeadFilter): string {
  return markOf([from, to, clean, scoreAtLeast, scoreAtMost].map((part) => part ?? null));
}

export function markOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12);
}
