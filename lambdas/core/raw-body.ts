/** The body as the gateway handed it over: measured at once, decoded only when asked for. */
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
