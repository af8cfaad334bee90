/** A minute as sort keys have it: `2026-11-15T12:34Z`. Keys that begin with it are in the order of time. */
export function minuteOf(atMilliseconds: number): string {
  return `${new Date(atMilliseconds).toISOString().slice(0, 16)}Z`;
}

/** An hour as sort keys have it: `2026-11-15T12Z`. */
export function hourOf(atMilliseconds: number): string {
  return `${new Date(atMilliseconds).toISOString().slice(0, 13)}Z`;
}
