import { type Headers, singleHeader } from './headers.ts';
import { LIMITS } from './limits.ts';
import { Rejection } from './rejection.ts';

/** The exact text of `X-SVC-Timestamp`, since that text is what was signed; checked against the server's clock. */
export function requireTimestamp(headers: Headers, nowMilliseconds: number): string {
  const header = singleHeader(headers, 'x-svc-timestamp');
  if (header === 'repeated') throw new Rejection('timestamp_invalid', { problem: 'sent more than once' });
  if (!header || header.value.trim() === '') throw new Rejection('timestamp_missing');
  const text = header.value;
  if (!/^\d+$/.test(text))
    throw new Rejection('timestamp_invalid', { problem: 'not a whole number of seconds' });
  const skewSeconds = Math.floor(nowMilliseconds / 1000) - Number(text);
  if (Math.abs(skewSeconds) > LIMITS.timestampToleranceSeconds) {
    throw new Rejection('timestamp_out_of_window', {
      skewSeconds: Number.isFinite(skewSeconds) ? skewSeconds : -1e15,
    });
  }
  return text;
}
