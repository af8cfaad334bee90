import type { RecordedReason } from './reasons.ts';

export interface ReasonGuide {
  /** A few words, to stand in the place of the reason's own name. */
  readonly title: string;
  readonly meaning: string;
  readonly remedy: string;
}

/** Every reason in an owner's words. Data alone: the console takes it as it is, leadctl prints it. */
export const REASON_GUIDE: Readonly<Record<RecordedReason, ReasonGuide>> = {
  token_missing: {
    title: 'No token',
    meaning: 'The request has no Authorization header, or no token in it.',
    remedy: 'Send the header Authorization: Bearer ingt_srv_… once, with the token as it was shown.',
  },
  token_invalid: {
    title: 'Unknown token',
    meaning:
      'The token is none of ours: mistyped, cut short, of another stage of this service, or sent without the word Bearer.',
    remedy: 'Copy the token again. If nobody has it any more, create a new one and revoke the old one.',
  },
  token_wrong_type: {
    title: 'Wrong type of token',
    meaning: 'The token is real, but it is not a server token, and only those may send here.',
    remedy: 'Create a server token under Ingest tokens, and send with that one.',
  },
  token_revoked: {
    title: 'Revoked token',
    meaning: 'Somebody revoked this token, and a sender still uses it.',
    remedy:
      'Give the sender a new token. If you do not know the sender, there is nothing to do: it is kept out.',
  },
  workspace_suspended: {
    title: 'Workspace suspended',
    meaning: 'The workspace is suspended, and takes no submissions on either surface.',
    remedy: 'Ask whoever runs this service to resume it. Senders have to send again what was rejected.',
  },
  form_not_found: {
    title: 'Form not found',
    meaning: 'No form has this address, or the form that the token belongs to is no longer there.',
    remedy:
      'Compare the address with the one in the form’s Delivery settings, or create a token for a form that exists.',
  },
  form_inactive: {
    title: 'Form switched off',
    meaning: 'The form is switched off or archived, and something still sends to it.',
    remedy:
      'Switch the form on again, or tell the sender to stop. An archived form stays off: send to another.',
  },
  slug_ambiguous: {
    title: 'Ambiguous address',
    meaning: 'Several forms share this address, so that nobody can say which one was meant.',
    remedy:
      'Create a new form, whose address is its own, and have the sender use that. Tell whoever runs this service.',
  },
  secret_not_configured: {
    title: 'No secret set',
    meaning: 'The form has no webhook secret, and without one every webhook is rejected.',
    remedy: 'Set a secret in the form’s Delivery settings, and give it to the sender.',
  },
  timestamp_missing: {
    title: 'No timestamp',
    meaning: 'The webhook has no X-SVC-Timestamp header.',
    remedy: 'Send the current Unix time in whole seconds, and sign that same text.',
  },
  timestamp_invalid: {
    title: 'Timestamp not readable',
    meaning: 'X-SVC-Timestamp is not a whole number: often it is a date, or has a fraction.',
    remedy: 'Send whole seconds since 1970, digits only, and sign that same text.',
  },
  timestamp_out_of_window: {
    title: 'Timestamp too old or too new',
    meaning:
      'X-SVC-Timestamp is more than 5 minutes from our time: a wrong clock, milliseconds in the place of seconds, or an old request sent again.',
    remedy:
      'Set the sender’s clock by NTP, send whole seconds, and have every attempt signed anew with the time of that attempt.',
  },
  signature_missing: {
    title: 'No signature',
    meaning: 'The webhook has no X-SVC-Signature header. An unsigned webhook is never taken.',
    remedy: 'Sign each request with the form’s secret: Delivery settings has code that does.',
  },
  signature_malformed: {
    title: 'Signature not readable',
    meaning:
      'X-SVC-Signature is not 64 hex digits: often it is base64, or has more in it than the signature.',
    remedy:
      'Send the HMAC-SHA256 as lowercase hex, alone or after sha256=. The signature debugger shows the difference.',
  },
  signature_mismatch: {
    title: 'Wrong signature',
    meaning:
      'The signature does not fit this form’s secret and the bytes that arrived: another secret, or a body that was changed after it was signed.',
    remedy:
      'Paste the request into the signature debugger in the form’s Delivery settings: it names the usual mistakes. After a rotation, give the sender the new secret.',
  },
  rate_limited_minute: {
    title: 'Over the limit of a minute',
    meaning: 'The workspace had its 1,000 submissions of this minute on this surface.',
    remedy:
      'Spread bursts over more minutes, and send again what was rejected. If you do not know the sender, revoke the token or rotate the secret.',
  },
  rate_limited_day: {
    title: 'Over the limit of a day',
    meaning: 'The workspace had its 50,000 submissions of this day (UTC) on this surface.',
    remedy:
      'Send the rest after midnight UTC. If that is more than you expect, look for a sender that repeats itself.',
  },
  idempotency_key_malformed: {
    title: 'Idempotency key not usable',
    meaning: 'X-SVC-Idempotency-Key is empty, longer than 255 characters, or sent more than once.',
    remedy:
      'Send one key of 1 to 255 characters for each lead, a UUID for instance, or leave the header out.',
  },
  body_too_large: {
    title: 'Body too large',
    meaning: 'The body has more than 128 KB (131,072 bytes).',
    remedy: 'Leave out files and images, and send links to them.',
  },
  content_type_unsupported: {
    title: 'Not sent as JSON',
    meaning: 'The Content-Type is not application/json: often a form was posted as it is.',
    remedy: 'Send a JSON object with Content-Type: application/json.',
  },
  content_encoding_unsupported: {
    title: 'Compressed body',
    meaning: 'The body was sent compressed, and then the bytes that were signed never reach us.',
    remedy: 'Switch compression of requests off at the sender.',
  },
  body_invalid_json: {
    title: 'Body is not valid JSON',
    meaning:
      'The body cannot be read as JSON in UTF-8: a comma too many, an unescaped quote, another encoding.',
    remedy: 'Have the sender build the body with a JSON library, in UTF-8 and without a byte order mark.',
  },
  body_not_object: {
    title: 'Body is not an object',
    meaning: 'The body is JSON, but a list, a text or a number, and a lead is one object.',
    remedy: 'Send one object with a key for each field, and one request for each lead.',
  },
  internal_error: {
    title: 'Our mistake',
    meaning: 'Something went wrong on our side, and the lead was not stored.',
    remedy: 'Have the sender send it again. If it goes on, name the request id to whoever runs this service.',
  },
  idempotency_key_reused: {
    title: 'Idempotency key reused with another body',
    meaning:
      'The key was used before with another body. The sender got the first response again, and this body was not stored.',
    remedy: 'Have the sender make a new key for each lead, and use a key again only to retry a request.',
  },
};
