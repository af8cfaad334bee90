import type { AnySurface } from '../model/limits.ts';
import type { RecordedReason, RejectionDetail } from '../model/reasons.ts';
import { NOT_REPEATED, SOURCE_GUIDE } from './source-guide.ts';

export interface ReasonGuide {
  /** Shown instead of the reason's name. */
  readonly title: string;
  readonly meaning: string;
  readonly remedy: string;
}

/** Every reason in an owner's words. Data only: the console shows it and leadctl prints it. */
export const REASON_GUIDE: Readonly<Record<RecordedReason, ReasonGuide>> = {
  token_missing: {
    title: 'Token missing',
    meaning: 'The request has no Authorization header, or the header has no token.',
    remedy: 'Send the header once: Authorization: Bearer ingt_srv_…, with the full server token.',
  },
  token_invalid: {
    title: 'Token not recognized',
    meaning:
      'The token doesn’t exist. It may be mistyped or cut off, belong to another environment, or lack the word Bearer.',
    remedy:
      'Copy the token again. If you no longer have it, create a new one and revoke the old one. A web page must request its token just before it sends.',
  },
  token_wrong_type: {
    title: 'Wrong token type',
    meaning: 'The token exists, but it isn’t a server token. Only server tokens can send leads.',
    remedy: 'Create a server token under Ingest tokens and use that one.',
  },
  token_revoked: {
    title: 'Token revoked',
    meaning: 'This server token was revoked, but a sender still uses it.',
    remedy: 'Give the sender a new token. If you don’t recognize the sender, no action is needed.',
  },
  workspace_suspended: {
    title: 'Workspace suspended',
    meaning: 'Your workspace is suspended, so all submissions are rejected.',
    remedy: 'Ask the service operator to resume it. Senders must resend the rejected submissions.',
  },
  form_not_found: {
    title: 'Form not found',
    meaning: 'No form has this webhook URL or slug, or the token’s form no longer exists.',
    remedy:
      'Check the URL, or the slug in your page, against the form’s Delivery settings, or create a server token for an existing form.',
  },
  form_inactive: {
    title: 'Form inactive',
    meaning: 'The form is inactive or archived, but a sender still uses it.',
    remedy: 'Activate the form or stop the sender. An archived form can’t be activated: use another form.',
  },
  slug_ambiguous: {
    title: 'Ambiguous webhook URL',
    meaning: 'Several forms share this webhook URL, so we can’t tell which one is meant.',
    remedy: 'Create a new form, which gets a unique URL, and use it instead. Tell the service operator.',
  },
  provider_not_chosen: {
    title: 'No provider chosen',
    meaning: 'The request came to the form’s address for providers, but the form has no provider.',
    remedy: 'Choose the provider in the form’s Delivery settings, and set its signing secret.',
  },
  secret_not_configured: {
    title: 'No webhook secret',
    meaning:
      'The form has no webhook secret, or no signing secret of its provider. Without one, every webhook is rejected.',
    remedy: 'Set the secret in the form’s Delivery settings, the same as at the sender.',
  },
  timestamp_missing: {
    title: 'Timestamp missing',
    meaning: 'The webhook has no X-SVC-Timestamp header.',
    remedy: 'Send the current Unix time in whole seconds, and sign exactly that value.',
  },
  timestamp_invalid: {
    title: 'Timestamp invalid',
    meaning: 'X-SVC-Timestamp isn’t a whole number. It may be a date or have decimals.',
    remedy: 'Send Unix time in whole seconds, digits only, and sign exactly that value.',
  },
  timestamp_out_of_window: {
    title: 'Timestamp too old or too new',
    meaning:
      'X-SVC-Timestamp is more than 5 minutes off. The sender’s clock may be wrong, the value may be in milliseconds, or an old request was resent.',
    remedy: 'Sync the sender’s clock, send whole seconds, and sign every retry with the current time.',
  },
  signature_missing: {
    title: 'Signature missing',
    meaning: 'The webhook has no X-SVC-Signature header. Unsigned webhooks are always rejected.',
    remedy: 'Sign every request with the form’s webhook secret. Delivery settings has sample code.',
  },
  signature_malformed: {
    title: 'Signature malformed',
    meaning: 'X-SVC-Signature isn’t 64 hex digits. It may be base64 or contain extra text.',
    remedy:
      'Send the HMAC-SHA256 as lowercase hex, with or without the prefix sha256=. The signature debugger shows what’s wrong.',
  },
  signature_mismatch: {
    title: 'Signature doesn’t match',
    meaning:
      'The signature doesn’t match the form’s webhook secret and the received body. Either the secret is wrong, or the body changed after it was signed.',
    remedy:
      'Paste the request into the signature debugger in the form’s Delivery settings to find the cause. After a rotation, give the sender the new secret.',
  },
  browser_inactive: {
    title: 'Browser sending is off',
    meaning: 'A web page tried to send a lead, but the form doesn’t accept leads from browsers.',
    remedy: 'If the page is yours, turn on browser sending for the form and add the page’s origin.',
  },
  origin_missing: {
    title: 'Origin missing',
    meaning:
      'The request doesn’t say which site it comes from. It may come from a program, a local file or a sandboxed frame.',
    remedy: 'Serve the page over HTTPS from your own site. Programs should use a server token or a webhook.',
  },
  origin_not_allowed: {
    title: 'Origin not allowed',
    meaning: 'The page that sent the lead is on a site that isn’t on the form’s list of allowed origins.',
    remedy:
      'If the site is yours, add its origin to the form, including the port and with or without www as shown in the address bar.',
  },
  token_expired: {
    title: 'Browser token expired',
    meaning: 'The page requested its token more than 2 minutes before it sent the lead.',
    remedy: 'Request the token just before sending, and a new one for each retry.',
  },
  rate_limited_minute: {
    title: 'Per-minute limit exceeded',
    meaning:
      'Your workspace exceeded 1,000 submissions per minute by webhook, by server token or from browsers.',
    remedy:
      'Spread out bursts and resend what was rejected. If you don’t recognize the sender, revoke the token, rotate the secret or turn off browser sending.',
  },
  rate_limited_day: {
    title: 'Daily limit exceeded',
    meaning:
      'Your workspace exceeded 50,000 submissions per day (UTC) by webhook, by server token or from browsers.',
    remedy:
      'Send the rest after midnight UTC. If you didn’t expect this many, look for a sender in a loop, or turn off browser sending for a form that is abused.',
  },
  idempotency_key_malformed: {
    title: 'Idempotency key invalid',
    meaning: 'X-SVC-Idempotency-Key is empty, longer than 255 characters, or sent more than once.',
    remedy: 'Send one key of 1 to 255 characters per lead, such as a UUID, or omit the header.',
  },
  body_too_large: {
    title: 'Body too large',
    meaning: 'The body is larger than 128 KB (131,072 bytes).',
    remedy: 'Send links to files and images instead of the files themselves.',
  },
  content_type_unsupported: {
    title: 'Content type isn’t JSON',
    meaning: 'The Content-Type isn’t application/json. The sender may post the form directly.',
    remedy: 'Send a JSON object with Content-Type: application/json.',
  },
  content_encoding_unsupported: {
    title: 'Compressed body',
    meaning: 'The body was compressed. Only bodies sent as they are can be checked and stored.',
    remedy: 'Turn off request compression at the sender.',
  },
  body_invalid_json: {
    title: 'Body isn’t valid JSON',
    meaning: 'The body isn’t valid UTF-8 JSON. Check for extra commas, unescaped quotes or another encoding.',
    remedy: 'Build the body with a JSON library, in UTF-8 without a byte order mark.',
  },
  body_not_object: {
    title: 'Body isn’t a JSON object',
    meaning: 'The body is a JSON list, string or number. A lead must be one JSON object.',
    remedy: 'Send one object per request, with one key per field.',
  },
  delivery_too_old: {
    title: 'Delivery older than 7 days',
    meaning:
      'The provider says that this happened more than 7 days ago. It may be a repetition of a lead that you already have.',
    remedy: 'If the lead is missing, copy it from the provider.',
  },
  internal_error: {
    title: 'Internal error',
    meaning: 'Something went wrong on our side, and the lead wasn’t stored.',
    remedy: 'Resend the request. If it keeps failing, give the service operator the request ID.',
  },
  idempotency_key_reused: {
    title: 'Idempotency key reused with another body',
    meaning:
      'The key was used before with a different body. The sender got the first response again, and this body wasn’t stored.',
    remedy:
      'Use a new key for each lead. Reuse a key only to retry the same request. From a browser, a visitor changed the form before trying again.',
  },
};

/** What was wrong with a body that isn’t JSON, as far as it is known. */
const BODY_PROBLEMS: Readonly<Record<string, Pick<ReasonGuide, 'meaning' | 'remedy'>>> = {
  empty: {
    meaning: 'The body is empty.',
    remedy:
      'Send the lead as a JSON object in the body, not in the URL. Check that the sender doesn’t follow a redirect and drop the body.',
  },
  'byte order mark': {
    meaning: 'The body starts with a byte order mark (the bytes EF BB BF), which JSON doesn’t allow.',
    remedy:
      'Write the body as UTF-8 without a byte order mark, such as utf-8 instead of utf-8-sig in Python or new UTF8Encoding(false) in .NET.',
  },
  'not UTF-8': {
    meaning: 'The body isn’t UTF-8. It may be in Latin-1, Windows-1252 or UTF-16.',
    remedy: 'Encode the body as UTF-8.',
  },
};

/** The words for a reason where it happened, and for what was recorded about it. */
export function reasonGuide(
  reason: RecordedReason,
  surface: AnySurface | undefined,
  { problem = '' }: RejectionDetail = {},
): ReasonGuide {
  const guide = REASON_GUIDE[reason];
  const body = reason === 'body_invalid_json' ? BODY_PROBLEMS[problem] : undefined;
  if (surface !== '1c') return body ? { ...guide, ...body } : guide;
  const atProvider = { ...guide, ...SOURCE_GUIDE[reason] };
  // Whoever uses a provider cannot change how it writes, so what to do stays the same.
  return body ? { ...atProvider, meaning: `${body.meaning} ${NOT_REPEATED}` } : atProvider;
}
