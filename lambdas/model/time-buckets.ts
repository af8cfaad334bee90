/** A minute as sort keys have it: `2026-11-15T12:34Z`. Keys that begin with it are in the order of time. */
export function minuteOf(atMilliseconds: number): string {
  return `${new Date(atMilliseconds).toISOString().slice(0, 16)}Z`;
}

/** An hour as sort keys have it: `2026-11-15T12Z`. */
export function hourOf(atMilliseconds: number): string {
  return `${new Date(atMilliseconds).toISOString().slice(0, 13)}Z`;
}

export type Bucket = 'minute' | 'hour' | 'day';

/** In milliseconds; `from` is inside, `to` is not. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

const HOUR_MS = 60 * 60 * 1000;

/** The bucket of a stored minute (`2026-11-15T12:34Z`) or hour (`2026-11-15T12Z`), by the moment it begins. */
export function bucketOf(stored: string, bucket: Bucket): string {
  const day = stored.slice(0, 10);
  if (bucket === 'day') return `${day}T00:00:00Z`;
  const hour = stored.slice(11, 13);
  return bucket === 'hour' ? `${day}T${hour}:00:00Z` : `${day}T${hour}:${stored.slice(14, 16)}:00Z`;
}

export function startOf(atMilliseconds: number, unit: 'minute' | 'hour'): string {
  const size = unit === 'hour' ? HOUR_MS : HOUR_MS / 60;
  return toSeconds(Math.floor(atMilliseconds / size) * size);
}

/** The first moment after the unit that holds this one. */
export function endOf(atMilliseconds: number, unit: 'minute' | 'hour'): string {
  const size = unit === 'hour' ? HOUR_MS : HOUR_MS / 60;
  return toSeconds((Math.floor(atMilliseconds / size) + 1) * size);
}

function toSeconds(atMilliseconds: number): string {
  return `${new Date(atMilliseconds).toISOString().slice(0, 19)}Z`;
}
