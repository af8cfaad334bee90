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

/** `undefined` when absent, `'repeated'` when sent more than once: nobody can say which one was meant. */
export function singleHeader(headers: Headers, name: string): { value: string } | 'repeated' | undefined {
  const values = headers.get(name);
  if (!values || values.length === 0) return undefined;
  return values.length === 1 ? { value: values[0] as string } : 'repeated';
}

/** The body from the gateway: measured at once, decoded on demand. */
export interface RawBody {
  readonly byteLength: number;
  /** The bytes as sent on the wire, or undefined when the gateway's base64 was damaged. */
  bytes(): Buffer | undefined;
}

export function rawBody(text: string | null | undefined, isBase64: boolean): RawBody {
  const sent = text ?? '';
  const byteLength = isBase64 ? base64DecodedBytes(sent) : Buffer.byteLength(sent, 'utf8');
  let decoded: Buffer | undefined;
  return {
    byteLength,
    bytes() {
      decoded ??= Buffer.from(sent, isBase64 ? 'base64' : 'utf8');
      // Node skips what is no base64, so damage shows as missing bytes.
      return decoded.length === byteLength && (!isBase64 || sent.length % 4 === 0) ? decoded : undefined;
    },
  };
}

/**
 * The number of bytes that base64 text stands for, without decoding it. The padding counts: bodies of 131,071 to
 * 131,073 bytes all have the same base64 length.
 */
export function base64DecodedBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}
