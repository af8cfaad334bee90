import type { RejectionEvent } from '#console/api/types.ts';
import { formatBytes } from './mark-difference.ts';

type Known = Pick<RejectionEvent, 'at' | 'detail' | 'bodyBytes' | 'bodySha256'>;

/** The timestamp that a rejected request had, if the rejection says how far it was off. */
export function knownTimestamp({ at, detail }: Pick<Known, 'at' | 'detail'>): string | undefined {
  const { skewSeconds } = detail;
  const timestamp = Math.floor(Date.parse(at) / 1000) - Number(skewSeconds);
  // A timestamp of too many digits was not recorded exactly.
  return typeof skewSeconds === 'number' && Math.abs(skewSeconds) < 1e15 && timestamp >= 0
    ? String(timestamp)
    : undefined;
}

export interface BodyMatch {
  readonly isSame: boolean;
  readonly text: string;
}

/** Whether a pasted body is the one that was rejected. Undefined if that isn't known. */
export async function compareBody(
  { bodyBytes, bodySha256 }: Pick<Known, 'bodyBytes' | 'bodySha256'>,
  body: Uint8Array,
): Promise<BodyMatch | undefined> {
  if (body.length !== bodyBytes) {
    const [had, has] = [formatBytes(bodyBytes), formatBytes(body.length)];
    return { isSame: false, text: `The rejected body had ${had}, this one has ${has}.` };
  }
  // Browsers have no `subtle` on pages without TLS.
  if (bodySha256 === undefined || globalThis.crypto.subtle === undefined) return undefined;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(body)));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex === bodySha256
    ? { isSame: true, text: 'The body is the one that was rejected, byte for byte.' }
    : { isSame: false, text: 'The rejected body has the same size, but other bytes.' };
}
