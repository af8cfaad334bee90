import type { RecordedReason } from '../model/reasons.ts';
import type { ReasonGuide } from './reason-guide.ts';

export const NOT_REPEATED = 'The provider was told not to repeat it.';

/** Where surface 1c needs other words: whoever uses a provider sets no headers, and cannot change how it signs. */
export const SOURCE_GUIDE: Readonly<Partial<Record<RecordedReason, Partial<ReasonGuide>>>> = {
  token_missing: {
    meaning: 'The request has no server token, neither in Authorization nor in X-API-Key.',
    remedy:
      'In the tool, add the header Authorization with Bearer and the server token, or X-API-Key with the token alone.',
  },
  token_invalid: {
    meaning:
      'The token doesn’t exist. It may be mistyped or cut off, lack the word Bearer in Authorization, or be sent in both headers.',
    remedy: 'Copy the token into one header again. If you no longer have it, create a new one.',
  },
  form_not_found: {
    meaning: 'No form has this URL, or the token’s form no longer exists.',
    remedy:
      'Copy the URL from the form’s Delivery settings again, or create a server token for an existing form.',
  },
  form_inactive: {
    remedy:
      'Activate the form, or remove the webhook at the provider. An archived form can’t be activated: use another form.',
  },
  secret_not_configured: {
    title: 'No signing secret',
    meaning: 'The signing secret of the form’s provider isn’t set. Without it, every delivery is rejected.',
    remedy: 'Set the secret in the form’s Delivery settings, the same as at the provider.',
  },
  timestamp_missing: {
    meaning: 'The delivery lacks the time that the form’s provider signs.',
    remedy: 'Check that the provider chosen in Delivery settings is the one that sends to this URL.',
  },
  timestamp_invalid: {
    meaning: 'The time in the delivery’s signature isn’t a number, or was sent more than once.',
    remedy: 'Check that the provider chosen in Delivery settings is the one that sends to this URL.',
  },
  timestamp_out_of_window: {
    meaning: 'The signature is right, but the delivery was signed too long ago, or in the future.',
    remedy:
      'Send it again from the provider’s own list of deliveries, which signs it again. If you don’t recognize it, someone may have resent a copy.',
  },
  signature_missing: {
    meaning:
      'The delivery isn’t signed in the way of the form’s provider. Unsigned deliveries are always rejected.',
    remedy:
      'Check that the secret is set at the provider, and that the provider chosen in Delivery settings is the one that sends to this URL.',
  },
  signature_malformed: {
    meaning: 'The signature isn’t written in the way of the form’s provider.',
    remedy:
      'Check that the secret is set at the provider, and that the provider chosen in Delivery settings is the one that sends to this URL.',
  },
  signature_mismatch: {
    meaning:
      'The signature doesn’t match the signing secret in Delivery settings. The provider probably uses another secret.',
    remedy:
      'Set the same secret in both places. Check that you pasted the signing secret of this webhook, not an API key or the secret of another webhook.',
  },
  rate_limited_minute: {
    meaning: 'Your workspace exceeded 1,000 submissions per minute from providers and tools.',
    remedy: 'Most providers try again by themselves. If you don’t recognize the sender, change the secret.',
  },
  rate_limited_day: {
    meaning: 'Your workspace exceeded 50,000 submissions per day (UTC) from providers and tools.',
    remedy:
      'Some providers try again until after midnight UTC. If you didn’t expect this many, look for a workflow in a loop.',
  },
  body_too_large: {
    meaning: `The delivery is larger than 128 KB (131,072 bytes). ${NOT_REPEATED}`,
    remedy: 'Copy the lead from the provider. Let the form send links to files instead of long texts.',
  },
  content_type_unsupported: {
    meaning: `The delivery isn’t JSON. ${NOT_REPEATED}`,
    remedy: 'In the provider or tool, choose JSON as the format of the body. Copy the lead from there.',
  },
  body_invalid_json: {
    meaning: `The delivery isn’t valid JSON in UTF-8. ${NOT_REPEATED}`,
    remedy: 'Copy the lead from the provider. In a tool, let it build the JSON from fields instead of text.',
  },
  body_not_object: {
    meaning: `The delivery is a JSON list, string or number. ${NOT_REPEATED}`,
    remedy: 'Send one lead per request, as one JSON object. Copy the lead from the provider or tool.',
  },
  internal_error: {
    remedy:
      'Most providers try again by themselves. If it keeps failing, give the service operator the request ID.',
  },
};
