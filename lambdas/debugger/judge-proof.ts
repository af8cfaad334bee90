import { type Reason, Rejection } from '../rejections/reasons.ts';
import { matchingSecret, requireSignature, requireTimestamp } from '../submission/signed-request.ts';
import type { Headers } from '../submission/submission.ts';

/** A request as it was sent: the headers' texts, or `undefined` for one that was not sent, and the body's bytes. */
export interface SignedInput {
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  readonly body: Uint8Array;
}

export interface FormSecrets {
  readonly current?: string | undefined;
  readonly previous?: { readonly secret: string; readonly endsAtMilliseconds: number } | undefined;
}

export interface Decided {
  readonly decision: 'accepted' | Reason;
  readonly acceptedBy?: 'current' | 'previous';
  readonly skewSeconds?: number;
}

/** The service's verdict on the proof, from the service's own rules, so that the two cannot differ. */
export function decide(input: SignedInput, secrets: FormSecrets, nowMilliseconds: number): Decided {
  const { current } = secrets;
  if (current === undefined) return { decision: 'secret_not_configured' };
  try {
    const headers = headersOf(input);
    const timestamp = requireTimestamp(headers, nowMilliseconds);
    const signature = requireSignature(headers);
    const previous = graceLasts(secrets, nowMilliseconds) ? secrets.previous?.secret : undefined;
    const acceptedBy = matchingSecret(signature, timestamp, input.body, { current, previous });
    if (acceptedBy) return { decision: 'accepted', acceptedBy };
    return { decision: 'signature_mismatch' };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const skewSeconds = error.detail.skewSeconds;
    return { decision: error.reason, ...(typeof skewSeconds === 'number' && { skewSeconds }) };
  }
}

export function graceLasts({ previous }: FormSecrets, nowMilliseconds: number): boolean {
  return nowMilliseconds < (previous?.endsAtMilliseconds ?? 0);
}

function headersOf({ timestamp, signature }: SignedInput): Headers {
  return new Map([
    ['x-svc-timestamp', timestamp === undefined ? [] : [timestamp]],
    ['x-svc-signature', signature === undefined ? [] : [signature]],
  ]);
}
