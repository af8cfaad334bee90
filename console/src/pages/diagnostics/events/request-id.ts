const REQUEST_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEADER = /^x-amzn-requestid\s*:\s*/i;

/** The id in what was typed or pasted, be it with its header's name. Undefined where there is none. */
export function readRequestId(typed: string): string | undefined {
  const id = typed.trim().replace(HEADER, '');
  return REQUEST_ID.test(id) ? id.toLowerCase() : undefined;
}
