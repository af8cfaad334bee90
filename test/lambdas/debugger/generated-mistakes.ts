import {
  BODY,
  type Case,
  dotted,
  GENERATED_BODIES,
  made,
  NOW,
  PYTHON,
  plainHash,
  SECRET,
  TIMESTAMP,
} from './signed-cases.ts';

const timestamps = [
  made('an old request', ['timestamp_clock_skew'], { timestamp: '1799990000' }),
  made('milliseconds in both', ['timestamp_in_milliseconds'], { timestamp: '1800000000123' }),
  made('a fraction', ['timestamp_with_fraction'], { timestamp: '1800000000.25' }),
  made('an ISO date', ['timestamp_as_date'], { timestamp: '2027-01-15T08:00:00Z' }),
  made('an HTTP date', ['timestamp_as_date'], { timestamp: 'Fri, 15 Jan 2027 08:00:00 GMT' }),
  made('a space in the header alone', ['timestamp_with_whitespace'], {
    timestamp: ` ${TIMESTAMP}`,
    message: dotted(BODY),
  }),
  made('zeros for milliseconds', ['timestamp_milliseconds_signed'], { message: `${TIMESTAMP}000.${BODY}` }),
  made('Date.now() signed', ['timestamp_milliseconds_signed'], { message: `${TIMESTAMP}987.${BODY}` }),
  made('Date.now() sent', ['timestamp_in_milliseconds', 'timestamp_seconds_signed'], {
    timestamp: '1800000000123',
    message: dotted(BODY),
  }),
  ...[-5, -1, 1, 2].map((seconds) =>
    made(`the clock read ${seconds} s apart`, ['timestamp_read_twice'], {
      message: `${Number(TIMESTAMP) + seconds}.${BODY}`,
    }),
  ),
];

const hex = (digest: Buffer) => digest.toString('hex');
const base64 = (digest: Buffer) => digest.toString('base64');
const PREFIXES = [
  'v1=',
  'v1,',
  'sha256:',
  'SHA256=',
  'hmac-sha256=',
  'HMAC-SHA256 ',
  'Signature ',
  'sha256 = ',
];
const encodings = [
  made('base64', ['signature_base64'], { header: base64 }),
  made('base64 without padding', ['signature_base64'], {
    header: (d) => base64(d).replace(/=+$/, ''),
    body: '{"n":1}',
  }),
  made('base64 after sha256=', ['signature_base64'], { header: (d) => `sha256=${base64(d)}` }),
  made('base64url', ['signature_base64url'], {
    header: (d) => d.toString('base64url'),
    // A body whose digest has a character that only base64url has.
    body: '{"n":5}',
  }),
  made('base64 of the hex', ['signature_base64_of_hex'], {
    header: (d) => Buffer.from(hex(d)).toString('base64'),
  }),
  made('hex of the hex', ['signature_hex_twice'], { header: (d) => Buffer.from(hex(d)).toString('hex') }),
  ...['-', ':', ' '].map((between) =>
    made(`hex in pairs with ${between}`, ['signature_hex_separated'], {
      header: (d) => hex(d).toUpperCase().match(/../g)?.join(between) as string,
    }),
  ),
  ...[...PREFIXES, '0x'].map((prefix) =>
    made(`${prefix} before it`, ['signature_prefix_unknown'], { header: (d) => prefix + hex(d) }),
  ),
  made('as Stripe sends it', ['signature_with_timestamp'], { header: (d) => `t=${TIMESTAMP},v1=${hex(d)}` }),
  ...['"', "'"].map((quote) =>
    made(`between ${quote}`, ['signature_quoted'], { header: (d) => quote + hex(d) + quote }),
  ),
  made('quotes after the prefix', ['signature_quoted'], { header: (d) => `sha256="${hex(d)}"` }),
  made('printed by Python', ['signature_quoted', 'signature_base64'], { header: (d) => `b'${base64(d)}'` }),
];

const algorithms = [
  made('MD5', ['algorithm_md5'], { algorithm: 'md5' }),
  made('SHA-1', ['algorithm_sha1'], { algorithm: 'sha1' }),
  made('SHA-1 as GitHub names it', ['algorithm_sha1'], {
    algorithm: 'sha1',
    header: (d) => `sha1=${hex(d)}`,
  }),
  made('SHA-384', ['algorithm_sha384'], { algorithm: 'sha384' }),
  made('SHA-512', ['algorithm_sha512'], { algorithm: 'sha512' }),
  made('the secret put before', ['hash_without_hmac'], {
    header: (_, message) => plainHash(SECRET, message),
  }),
  made('the secret put after', ['hash_without_hmac'], { header: (_, message) => plainHash(message, SECRET) }),
  made('no secret', ['hash_without_secret'], { header: (_, message) => plainHash(message) }),
  made('arguments swapped', ['key_and_message_swapped'], { key: dotted(BODY), message: SECRET }),
];

const messages = [
  made('the body alone', ['message_body_alone'], { message: BODY }),
  made('the timestamp alone', ['message_timestamp_alone'], { message: TIMESTAMP }),
  made('no dot', ['message_without_dot'], { message: TIMESTAMP + BODY }),
  ...[':', '\n', '|', ',', ' ', '. ', '\r\n'].map((separator) =>
    made(`${JSON.stringify(separator)} between`, ['message_other_separator'], {
      message: TIMESTAMP + separator + BODY,
    }),
  ),
  made('the body first', ['message_body_first'], { message: `${BODY}.${TIMESTAMP}` }),
  made('the body first, no dot', ['message_body_first'], { message: BODY + TIMESTAMP }),
  made('t= before it', ['message_with_label'], { message: `t=${TIMESTAMP}.${BODY}` }),
  made('as Slack signs', ['message_with_label'], { message: `v0:${TIMESTAMP}:${BODY}` }),
];

const OLD = 'whsec_0ldSecretThatWasRotatedAwayAndMustNotWork123';
const ended = { current: SECRET, previous: { secret: OLD, endsAtMilliseconds: NOW - 60_000 } };
const OTHER = 'whsec_theSecretOfAnotherFormOfThisWorkspace456789';
const others = {
  current: SECRET,
  others: [
    { formId: 'form_a', secret: 'whsec_a' },
    { formId: 'form_b', secret: OTHER, formName: 'Contact' },
  ],
};
const BARE = SECRET.slice('whsec_'.length);
const HEX = 'whsec_00112233445566778899aabbccddeeff';
const keys = [
  ...['\n', ' ', '\r\n'].map((end) =>
    made(`${JSON.stringify(end)} after the secret`, ['secret_with_whitespace'], { key: SECRET + end }),
  ),
  made('a space before the secret', ['secret_with_whitespace'], { key: ` ${SECRET}` }),
  made('a secret stored with a space', ['secret_with_whitespace'], { secrets: { current: ` ${SECRET}\n` } }),
  made('no prefix', ['secret_without_prefix'], { key: BARE }),
  made('the prefix twice', ['secret_prefix_added'], { key: `whsec_${SECRET}` }),
  made('quotes', ['secret_quoted'], { key: `"${SECRET}"` }),
  made('decoded as Svix does', ['secret_base64_decoded'], { key: Buffer.from(BARE, 'base64') }),
  made('hex decoded', ['secret_hex_decoded'], {
    key: Buffer.from(HEX.slice(6), 'hex'),
    secrets: { current: HEX },
  }),
  made('an empty setting', ['secret_empty'], { key: '' }),
  made('an unset variable', ['secret_empty'], { key: 'undefined' }),
  made('the previous secret, ended', ['secret_previous'], { key: OLD, secrets: ended }),
  made('another form’s secret', ['secret_of_another_form'], { key: OTHER, secrets: others }),
];

const combined = [
  made('base64, body alone', ['signature_base64', 'message_body_alone'], { message: BODY, header: base64 }),
  made('base64, milliseconds', ['signature_base64', 'timestamp_milliseconds_signed'], {
    message: `${TIMESTAMP}000.${BODY}`,
    header: base64,
  }),
  made('SHA-1, body alone, no prefix', ['algorithm_sha1', 'message_body_alone', 'secret_without_prefix'], {
    algorithm: 'sha1',
    message: BODY,
    key: BARE,
  }),
  made('Python, body alone', ['message_body_alone', 'body_respaced', 'body_non_ascii_escaped'], {
    message: PYTHON,
  }),
  made('newline on both', ['body_newline_added', 'secret_with_whitespace'], {
    message: dotted(`${BODY}\n`),
    key: `${SECRET}\n`,
  }),
  made('no dot, previous secret', ['message_without_dot', 'secret_previous'], {
    message: TIMESTAMP + BODY,
    key: OLD,
    secrets: ended,
  }),
  made('another form’s secret, no prefix', ['secret_of_another_form', 'secret_without_prefix'], {
    key: OTHER.slice(6),
    secrets: others,
  }),
  made('another form’s secret, body alone', ['message_body_alone', 'secret_of_another_form'], {
    message: BODY,
    key: OTHER,
    secrets: others,
  }),
  made('old, and without a dot', ['timestamp_clock_skew', 'message_without_dot'], {
    timestamp: '1799990000',
    message: `1799990000${BODY}`,
  }),
  made('base64 with a previous secret that still counts', ['signature_base64'], {
    key: OLD,
    header: base64,
    secrets: { current: SECRET, previous: { secret: OLD, endsAtMilliseconds: NOW + 1 } },
  }),
];

export const GENERATED: readonly Case[] = [
  ...timestamps,
  ...encodings,
  ...algorithms,
  ...messages,
  ...GENERATED_BODIES,
  ...keys,
  ...combined,
];
