/**
 * Every mistake that the debugger can name, with what to do about it. The names are an interface: Diagnostics stores
 * them, the console and the docs show them. No text holds anything that a sender or an owner keeps secret.
 */
export const MISTAKES = {
  timestamp_clock_skew:
    'The timestamp is more than 5 minutes from the time of the service. Set the sender’s clock by NTP and sign each attempt anew instead of sending an old request again. A difference near whole hours comes from a time zone: Unix time has none.',
  timestamp_in_milliseconds: 'X-SVC-Timestamp is in milliseconds. Send and sign whole seconds.',
  timestamp_with_fraction: 'X-SVC-Timestamp has a fraction. Cut it off: send and sign whole seconds.',
  timestamp_as_date: 'X-SVC-Timestamp is a date in words. Send and sign Unix time in whole seconds.',
  timestamp_with_whitespace: 'There is white space around the timestamp. Send and sign its digits alone.',
  timestamp_milliseconds_signed:
    'The signed timestamp is in milliseconds, the one in the header in seconds. Put the time into one variable, in whole seconds, and use it for both.',
  timestamp_seconds_signed:
    'The signed timestamp is in seconds, the one in the header in milliseconds. Put the time into one variable, in whole seconds, and use it for both.',
  timestamp_read_twice:
    'The signed timestamp is a few seconds from the one in the header: the clock was read twice. Read it once and use that value for both.',

  signature_base64: 'The signature is in base64. Write the digest as hex.',
  signature_base64url: 'The signature is in base64url. Write the digest as hex.',
  signature_base64_of_hex: 'The signature is the hex text put into base64. Send the hex text itself.',
  signature_hex_twice: 'The signature is the hex of the hex text. Encode the digest as hex once.',
  signature_hex_separated:
    'The hex digits are separated, as BitConverter prints them. Send 64 digits and nothing between.',
  signature_prefix_unknown:
    'There is something other than sha256= before the signature. Send the hex alone or after sha256=, in lower case.',
  signature_with_timestamp:
    'The signature header also carries a timestamp, as Stripe’s does. Send the hex alone; the timestamp goes into X-SVC-Timestamp.',
  signature_quoted: 'The signature is in quotes. Send it without.',

  algorithm_md5: 'The digest is MD5. Use HMAC-SHA256.',
  algorithm_sha1: 'The digest is SHA-1. Use HMAC-SHA256.',
  algorithm_sha384: 'The digest is SHA-384. Use HMAC-SHA256.',
  algorithm_sha512: 'The digest is SHA-512. Use HMAC-SHA256.',
  hash_without_hmac: 'The secret was joined to the message and hashed. Use HMAC, with the secret as its key.',
  hash_without_secret: 'The message was hashed without the secret. Use HMAC, with the secret as its key.',
  key_and_message_swapped:
    'Key and message are swapped in the call of HMAC. The secret is the key; timestamp, dot and body are the message.',

  message_body_alone: 'Only the body was signed. Sign the timestamp, a dot and the body.',
  message_timestamp_alone: 'Only the timestamp was signed. Sign the timestamp, a dot and the body.',
  message_without_dot: 'The dot between timestamp and body is missing in what was signed.',
  message_other_separator:
    'Something other than a dot stands between timestamp and body in what was signed. Use one dot.',
  message_body_first: 'The body was signed before the timestamp. Sign the timestamp, a dot and the body.',
  message_with_label:
    'What was signed has a label before the timestamp, such as t= or v0:. Sign the timestamp, a dot and the body.',

  body_newline_added:
    'What was signed ends with a newline that the body does not have. Sign the bytes as they are sent; mind echo and here-documents.',
  body_newline_cut:
    'What was signed lacks the newline at the end of the body. Sign the bytes as they are sent.',
  body_trimmed:
    'White space around the body was cut off in what was signed. Sign the bytes as they are sent.',
  body_crlf_to_lf: 'The body has CRLF line ends, what was signed has LF. Sign the bytes as they are sent.',
  body_lf_to_crlf: 'The body has LF line ends, what was signed has CRLF. Sign the bytes as they are sent.',
  body_bom_added: 'What was signed starts with a byte order mark that the body does not have. Leave it out.',
  body_bom_cut: 'The body starts with a byte order mark that was not signed. Send the body without it.',
  body_latin1: 'What was signed is in Latin-1, the body in UTF-8. Turn text into bytes once, and sign those.',
  body_utf8_twice:
    'The body’s bytes were put into UTF-8 a second time and then signed. Sign the bytes as sent.',
  body_read_as_text:
    'The body is not UTF-8 and was read as text, which replaces bytes. Sign the bytes as they are sent.',
  body_respaced:
    'What was signed has other spacing: the JSON was written anew. Write the body once, and sign and send those bytes.',
  body_keys_reordered:
    'What was signed has its keys in another order: the JSON was written anew. Write the body once, and sign and send those bytes.',
  body_non_ascii_escaped:
    'What was signed has non-ASCII characters as \\u escapes, as Python and PHP write them. Write the body once, and sign and send those bytes.',
  body_slashes_escaped:
    'What was signed has slashes as \\/, as PHP writes them. Write the body once, and sign and send those bytes.',
  body_html_escaped:
    'What was signed has <, > and & as \\u escapes, as Go and .NET write them. Write the body once, and sign and send those bytes.',
  body_escapes_undone:
    'The body has escapes such as \\u00e9 or \\/ where what was signed has the characters. Write the body once, and sign and send those bytes.',
  body_values_rewritten:
    'The JSON was parsed and written anew, which changed numbers (1.0 to 1), numeric keys or repeated keys. Sign the bytes as they are sent.',
  body_as_json_string:
    'The body was put into a JSON string, with quotes and backslashes, before it was signed. Encode it once.',
  body_as_base64: 'The base64 text of the body was signed. Decode it first: sign the bytes as they are sent.',
  body_as_digest: 'A SHA-256 digest of the body was signed in its place. Sign the body itself.',
  body_as_object_text:
    'An object or a missing value was signed as text, such as [object Object] or undefined. Sign the bytes as they are sent.',
  body_as_bytes_literal:
    'The body was signed as Python prints bytes, b\'…\'. Join bytes, not text: timestamp.encode() + b"." + body.',
  body_empty: 'An empty body was signed. Read the body before signing; a stream can be read only once.',

  secret_with_whitespace:
    'The key and the secret differ by white space around them, often a newline from a file. Trim what is read.',
  secret_without_prefix: 'The key lacks whsec_. The secret with its prefix is the key.',
  secret_prefix_added: 'The key has whsec_ before the secret. Use the secret exactly as it was shown.',
  secret_quoted: 'The key has quotes around the secret. Take them out of the setting.',
  secret_base64_decoded: 'The secret was decoded as base64. Its text is the key, undecoded.',
  secret_hex_decoded: 'The secret was decoded as hex. Its text is the key, undecoded.',
  secret_empty: 'The key is empty, or a word such as undefined: the sender does not find its setting.',
  secret_previous: 'The previous secret was used, and it no longer counts. Give the sender the current one.',
  secret_of_another_form:
    'The secret of another form of this workspace was used. Each form has its own: use this form’s, or send to that form.',
} as const satisfies Record<string, string>;

export type MistakeName = keyof typeof MISTAKES;

export const MISTAKE_NAMES = Object.keys(MISTAKES) as readonly MistakeName[];

/** A mistake that was found, before it is put into words. */
export interface FoundMistake {
  readonly name: MistakeName;
  readonly formId?: string;
  /** A sentence about this one case. */
  readonly detail?: string;
}

export interface Mistake {
  readonly name: MistakeName;
  readonly explanation: string;
  readonly formId?: string;
}

/** In words, each name once: two causes may both find the same white space. */
export function putIntoWords(found: readonly FoundMistake[]): Mistake[] {
  const byName = new Map(found.map((each) => [each.name, each]));
  return [...byName.values()].map(({ name, formId, detail }) => ({
    name,
    explanation: detail ? `${MISTAKES[name]} ${detail}` : MISTAKES[name],
    ...(formId !== undefined && { formId }),
  }));
}
