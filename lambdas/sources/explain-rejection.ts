import type { RecordedReason, RejectionDetail } from '../model/reasons.ts';
import { PROVIDERS, type Provider } from './providers.ts';

interface RejectedDelivery {
  readonly reason: RecordedReason;
  readonly detail: RejectionDetail;
}

/** What probably went wrong with a delivery on surface 1c, as far as its record tells more than its reason. */
export function likelyCause({ reason, detail }: RejectedDelivery): string | undefined {
  const expected = PROVIDERS.get(String(detail.provider));
  const sent = PROVIDERS.get(String(detail.looksLike));
  if (!expected) return undefined;
  if (sent) return `This looks like ${whose(sent)} signature, but the form expects ${whose(expected)}.`;
  const { displayName } = expected;
  switch (reason) {
    case 'signature_missing':
      return `The request isn’t signed. Check that the secret is set at ${displayName}.`;
    case 'signature_malformed':
      return detail.problem === UNSIGNED
        ? `No secret is set at ${displayName}, so it doesn’t sign. Enter the secret there.`
        : undefined;
    case 'signature_mismatch':
      return expected.secret.madeBy === 'provider'
        ? 'Check that you pasted the signing secret, not the API key.'
        : `Check that ${displayName} has exactly the secret that is set here.`;
    case 'timestamp_out_of_window':
      return ageIn(expected, Number(detail.skewSeconds));
    default:
      return undefined;
  }
}

/** How verifySignature() records the value that stands for no signature. */
const UNSIGNED = 'no secret set at the provider';

function ageIn({ displayName, time }: Provider, skewSeconds: number): string | undefined {
  if (!time || Number.isNaN(skewSeconds)) return undefined;
  if (skewSeconds < 0) return `It was signed ${duration(-skewSeconds)} in the future.`;
  const limit = duration(time.maxAgeSeconds);
  return `It was signed ${duration(skewSeconds)} ago. Signatures of ${displayName} are accepted for ${limit}.`;
}

function duration(seconds: number): string {
  if (seconds >= 2 * 3600) return `${Math.round(seconds / 3600)} hours`;
  return seconds >= 120 ? `${Math.round(seconds / 60)} minutes` : `${seconds} seconds`;
}

/** "GitHub style" is a name for the list of providers. */
function whose({ name, displayName }: Provider): string {
  if (name === 'github') return 'GitHub’s';
  return displayName.endsWith('s') ? `${displayName}’` : `${displayName}’s`;
}
