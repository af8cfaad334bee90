type Zone = 'UTC' | undefined;

/** A time in the owner's zone, or in UTC, in as few characters as tell it: of another year the day is enough. */
export function shortTime(at: string, now: number, timeZone: Zone): string {
  const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone });
  const isThisYear = year.format(new Date(at)) === year.format(now);
  const day = { day: 'numeric', month: 'short', timeZone } as const;
  const rest = isThisYear
    ? ({ hour: '2-digit', minute: '2-digit' } as const)
    : ({ year: 'numeric' } as const);
  return new Intl.DateTimeFormat(undefined, { ...day, ...rest }).format(new Date(at));
}
