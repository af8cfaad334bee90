/** A request's headers by lower-case name, with every value that was sent. */
export type Headers = ReadonlyMap<string, readonly string[]>;

type Single = Record<string, string | undefined> | null | undefined;
type Multiple = Record<string, string[] | undefined> | null | undefined;

/** Names arrive in the sender's own case, and two spellings of one name are one repeated header. */
export function collectHeaders(single: Single, multiple: Multiple): Headers {
  const headers = new Map<string, string[]>();
  const add = (name: string, values: string[]) => {
    const key = name.toLowerCase();
    headers.set(key, [...(headers.get(key) ?? []), ...values]);
  };
  if (multiple && Object.keys(multiple).length > 0) {
    for (const [name, values] of Object.entries(multiple)) if (values) add(name, values);
  } else {
    for (const [name, value] of Object.entries(single ?? {})) if (value !== undefined) add(name, [value]);
  }
  return headers;
}

/** `undefined` when absent, `'repeated'` when sent more than once: it is unclear which one was meant. */
export function singleHeader(headers: Headers, name: string): { value: string } | 'repeated' | undefined {
  const values = headers.get(name);
  if (!values || values.length === 0) return undefined;
  return values.length === 1 ? { value: values[0] as string } : 'repeated';
}
