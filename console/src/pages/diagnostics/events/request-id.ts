const REQUEST_ID = /(?<![0-9a-f-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f-])/i;

/** The id in what was typed or pasted, be it a line of a log. Undefined where there is none. */
export function readRequestId(typed: string): string | undefined {
  return REQUEST_ID.exec(typed)?.[0].toLowerCase();
}
