/** `16 Nov 2026, 09:12 UTC`: messages name the time zone, since nobody knows where they are read. */
export function momentText(atMilliseconds: number): string {
  const [, day = '', month = '', year = '', time = ''] =
    /^\w+, (\d+) (\w+) (\d+) (\d+:\d+)/.exec(new Date(atMilliseconds).toUTCString()) ?? [];
  return `${Number(day)} ${month} ${year}, ${time} UTC`;
}

const MOMENT = /(\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d UTC)/;

/** The parts of a text in order, with each moment in ISO 8601, so that the console can show it in the reader's time zone. */
export function splitMoments(text: string): ({ readonly text: string } | { readonly at: string })[] {
  // With a group in its pattern, `split` also returns what it splits at: every second part.
  return text.split(MOMENT).map((part, index) => {
    const at = index % 2 === 1 ? Date.parse(part.replace(',', '')) : Number.NaN;
    return Number.isNaN(at) ? { text: part } : { at: new Date(at).toISOString() };
  });
}
