/**
 * Every mistake that the debugger can find, and how to fix it. The names are an interface: Diagnostics stores them, the
 * console and the docs show them. No text may contain a secret.
 */
export const MISTAKES = {
  timestamp_clock_skew:
    'The timestamp is more than 5 minutes off. Sync the sender’s clock with NTP, and sign every retry with the current time. If it’s off by whole hours, it’s a time zone error: Unix time has no time zone.',
  timestamp_in_milliseconds: 'X-SVC-Timestamp is in milliseconds. Send and sign whole seconds.',
  timestamp_with_fraction: 'X-SVC-Timestamp has decimals. Send and sign whole seconds.',
  timestamp_as_date: 'X-SVC-Timestamp is a date. Send and sign Unix time in whole seconds.',
  timestamp_with_whitespace: 'The timestamp has whitespace around it. Send and sign only the digits.',
  timestamp_milliseconds_signed:
    'The signed timestamp is in milliseconds, but the header is in seconds. Store the time in one variable, in whole seconds, and use it for both.',
  timestamp_seconds_signed:
    'The signed timestamp is in seconds, but the header is in milliseconds. Store the time in one variable, in whole seconds, and use it for both.',
  timestamp_read_twice:
    'The signed timestamp is a few seconds off from the header because the clock was read twice. Read it once and use that value for both.',

  signature_base64: 'The signature is base64. Encode the digest as hex.',
  signature_base64url: 'The signature is base64url. Encode the digest as hex.',
  signature_base64_of_hex: 'The signature is base64-encoded hex. Send the hex itself.',
  signature_hex_twice: 'The signature is hex-encoded twice. Encode the digest once.',
  signature_hex_separated:
    'The hex digits have separators, as BitConverter prints them. Send 64 digits with nothing in between.',
  signature_prefix_unknown:
    'The signature has a prefix other than sha256=. Send lowercase hex, with or without sha256=.',
  signature_with_timestamp:
    'The signature header also contains a timestamp, like Stripe’s. Send only the hex; the timestamp goes in X-SVC-Timestamp.',
  signature_quoted: 'The signature is in quotes. Remove them.',

  algorithm_md5: 'The digest is MD5. Use HMAC-SHA256.',
  algorithm_sha1: 'The digest is SHA-1. Use HMAC-SHA256.',
  algorithm_sha384: 'The digest is SHA-384. Use HMAC-SHA256.',
  algorithm_sha512: 'The digest is SHA-512. Use HMAC-SHA256.',
  hash_without_hmac: 'The secret was joined to the message and hashed. Use HMAC with the secret as the key.',
  hash_without_secret: 'The message was hashed without the secret. Use HMAC with the secret as the key.',
  key_and_message_swapped:
    'The HMAC key and message are swapped. The secret is the key; the message is timestamp, dot, body.',

  message_body_alone: 'Only the body was signed. Sign timestamp, dot, body.',
  message_timestamp_alone: 'Only the timestamp was signed. Sign timestamp, dot, body.',
  message_without_dot: 'The signed message has no dot between timestamp and body.',
  message_other_separator:
    'The signed message has something other than a dot between timestamp and body. Use a single dot.',
  message_body_first: 'The body was signed before the timestamp. Sign timestamp, dot, body.',
  message_with_label:
    'The signed message has a label before the timestamp, such as t= or v0:. Sign timestamp, dot, body.',

  body_newline_added:
    'The signed body ends with a newline that the sent body doesn’t have. Sign the exact bytes you send; watch out for echo and here-documents.',
  body_newline_cut:
    'The signed body lacks the newline at the end of the sent body. Sign the exact bytes you send.',
  body_trimmed: 'Whitespace around the body was removed before signing. Sign the exact bytes you send.',
  body_crlf_to_lf: 'The sent body has CRLF line endings, the signed one LF. Sign the exact bytes you send.',
  body_lf_to_crlf: 'The sent body has LF line endings, the signed one CRLF. Sign the exact bytes you send.',
  body_bom_added: 'The signed body starts with a byte order mark that the sent body lacks. Leave it out.',
  body_bom_cut: 'The sent body starts with a byte order mark that wasn’t signed. Send it without one.',
  body_latin1:
    'The signed body is Latin-1, the sent body UTF-8. Convert the text to bytes once, and sign those.',
  body_utf8_twice: 'The body was encoded as UTF-8 twice before signing. Sign the exact bytes you send.',
  body_read_as_text:
    'The body isn’t UTF-8 and was read as text, which replaces bytes. Sign the exact bytes you send.',
  body_respaced:
    'The signed body has different spacing because the JSON was serialized again. Serialize the body once; sign and send those bytes.',
  body_keys_reordered:
    'The signed body has its keys in a different order because the JSON was serialized again. Serialize the body once; sign and send those bytes.',
  body_non_ascii_escaped:
    'The signed body has non-ASCII characters as \\u escapes, as Python and PHP write them. Serialize the body once; sign and send those bytes.',
  body_slashes_escaped:
    'The signed body has slashes as \\/, as PHP writes them. Serialize the body once; sign and send those bytes.',
  body_html_escaped:
    'The signed body has <, > and & as \\u escapes, as Go and .NET write them. Serialize the body once; sign and send those bytes.',
  body_escapes_undone:
    'The sent body has escapes such as \\u00e9 or \\/ where the signed one has the characters. Serialize the body once; sign and send those bytes.',
  body_values_rewritten:
    'The JSON was parsed and serialized again, which changed numbers (1.0 to 1), numeric keys or repeated keys. Sign the exact bytes you send.',
  body_as_json_string:
    'The body was encoded as a JSON string, with quotes and backslashes, before signing. Encode it once.',
  body_as_base64: 'The body was signed as base64. Decode it first and sign the exact bytes you send.',
  body_as_digest: 'A SHA-256 digest of the body was signed. Sign the body itself.',
  body_as_object_text:
    'An object or a missing value was signed as text, such as [object Object] or undefined. Sign the exact bytes you send.',
  body_as_bytes_literal:
    'The body was signed as Python prints bytes, b\'…\'. Join bytes, not text: timestamp.encode() + b"." + body.',
  body_empty: 'An empty body was signed. Read the body before signing; a stream can be read only once.',

  secret_with_whitespace:
    'The signing key has extra or missing whitespace around it, often a newline from a file. Trim it.',
  secret_without_prefix: 'The signing key lacks whsec_. Use the full secret, including its prefix.',
  secret_prefix_added: 'The signing key has an extra whsec_. Use the secret exactly as shown.',
  secret_quoted: 'The signing key has quotes around it. Remove them from the sender’s settings.',
  secret_base64_decoded: 'The secret was base64-decoded. Use it as plain text.',
  secret_hex_decoded: 'The secret was hex-decoded. Use it as plain text.',
  secret_empty:
    'The signing key is empty or a word such as undefined. The sender can’t find its secret setting.',
  secret_previous:
    'The previous webhook secret was used, and it no longer works. Give the sender the current one.',
  secret_of_another_form:
    'The webhook secret of another form was used. Use this form’s secret, or send to the other form.',
} as const satisfies Record<string, string>;

export type MistakeName = keyof typeof MISTAKES;

export const MISTAKE_NAMES = Object.keys(MISTAKES) as readonly MistakeName[];

/** A mistake before it is put into words. */
export interface FoundMistake {
  readonly name: MistakeName;
  readonly formId?: string;
  /** A sentence about this case. */
  readonly detail?: string;
}

export interface Mistake {
  readonly name: MistakeName;
  readonly explanation: string;
  readonly formId?: string;
}

/** Each mistake once: two checks can find the same whitespace. */
export function putIntoWords(found: readonly FoundMistake[]): Mistake[] {
  const byName = new Map(found.map((each) => [each.name, each]));
  return [...byName.values()].map(({ name, formId, detail }) => ({
    name,
    explanation: detail ? `${MISTAKES[name]} ${detail}` : MISTAKES[name],
    ...(formId !== undefined && { formId }),
  }));
}
