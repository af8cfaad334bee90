import { createHash, createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';

/**
 * Writes docs/api/signature-vectors.json from the fixed inputs below: `npm run make:signature-vectors`. The valid
 * vectors are for testing a signer. The others are common mistakes, with the reason that the owner sees in Diagnostics.
 */

const FILE = new URL('../docs/api/signature-vectors.json', import.meta.url);

/** 2026-07-01T12:00:00Z, the server's clock in every vector. */
const SERVER_TIME = 1_782_907_200;

const SECRET = 'whsec_4vQ9cT1mZx7LrB0nYk2Hs8Wd5Jf3GpUa6EoRiN';
const BARE_SECRET = SECRET.slice('whsec_'.length);
const NOW = String(SERVER_TIME);
const LEAD = '{"name":"Ada Byron","email":"ada@analytical-engines.example"}';

/** What a request sends, if not the ordinary lead, secret, time and signature. */
interface Sent {
  readonly secret?: string;
  readonly timestamp?: string;
  readonly body?: string | Buffer | BodyRule;
  readonly signature?: (expected: string) => string;
}

/** Describes a body that is too long to list. */
interface BodyRule {
  readonly start: string;
  readonly repeat: string;
  readonly times: number;
  readonly end: string;
}

/** The last part is the body, or all that differs from an ordinary request. */
type Case = readonly [name: string, why: string, differs?: string | Buffer | Sent];

const NOT_JSON = 'The signature matches, but the body is then rejected because it is not JSON.';

const VALID: readonly Case[] = [
  ['ordinary', 'A typical lead, signed as documented.'],
  ['smallest object', 'An empty object is a valid lead.', '{}'],
  ['prefix', 'The prefix sha256= before the digits is optional.', { signature: (hex) => `sha256=${hex}` }],
  ['upper case', 'Upper-case digits are accepted.', { signature: (hex) => hex.toUpperCase() }],
  [
    'prefix and upper case',
    'Both at once. The prefix itself is lower case.',
    { signature: (hex) => `sha256=${hex.toUpperCase()}` },
  ],
  [
    'text beyond ASCII',
    'Text is signed as its UTF-8 bytes.',
    '{"name":"Zoë Müller-Łukasiewicz","city":"東京"}',
  ],
  [
    'emoji',
    'Four bytes each, joined ones more. The bytes are signed, not the characters.',
    '{"message":"👩‍💻 says 👋🏽"}',
  ],
  [
    'escaped text',
    'An escape has the same value but other bytes. Sign the bytes you send.',
    '{"name":"Zo\\u00eb","message":"a\\/b"}',
  ],
  ['decomposed text', 'e and a combining diaeresis: text is not normalized.', '{"name":"Zoe\u0308"}'],
  ['CRLF', 'Line endings are signed as sent.', '{\r\n  "name": "Ada Byron"\r\n}'],
  ['trailing newline', 'The newline is sent, so it is signed.', `${LEAD}\n`],
  ['white space', 'Spaces and tabs between tokens are signed as sent.', '\t{ "b" :\t1 ,  "a" : 2 }  '],
  ['dots', 'Only the first dot separates.', '{".":".","a.b":"1.2.3"}'],
  ['digits', 'Numbers are signed as sent, with every digit.', '{"id":12345678901234567890.10,"e":1E400}'],
  ['same key twice', 'Both are signed, although a parser would drop one.', '{"a":1,"a":2}'],
  ['NUL', `A zero byte does not end the body. ${NOT_JSON}`, Buffer.from('{"a":"\0"}')],
  ['not UTF-8', `Bytes that are not text. ${NOT_JSON}`, Buffer.from([0xff, 0xfe, 0x0d, 0x0a, 0x00, 0x80])],
  ['byte order mark', `Three more bytes. ${NOT_JSON}`, `\ufeff${LEAD}`],
  ['empty body', `The message ends with the dot. ${NOT_JSON}`, ''],
  [
    'largest body',
    '131,072 bytes, the maximum.',
    { body: { start: '{"message":"', repeat: 'x', times: 131_058, end: '"}' } },
  ],
  ['secret with spaces', 'Spaces are part of a secret.', { secret: 'correct horse battery staple' }],
  ['secret beyond ASCII', 'The key is the secret’s UTF-8 bytes.', { secret: 'Schlüssel für Zoë 🔑 2026' }],
  ['secret of 64 bytes', 'One block of SHA-256: the key is unchanged.', { secret: 'k'.repeat(64) }],
  [
    'secret of 200 characters',
    'Longer than a block: HMAC itself hashes the key first.',
    { secret: 'long-secret-'.repeat(17).slice(0, 200) },
  ],
  [
    'secret that looks like hex',
    'The secret is text and is not decoded.',
    { secret: '00112233445566778899aabbccddeeff' },
  ],
  ['leading zeros', 'The timestamp’s text is signed, not its value.', { timestamp: `00${NOW}` }],
  ['300 seconds old', 'Just inside the window.', { timestamp: String(SERVER_TIME - 300) }],
  ['300 seconds ahead', 'Just inside the window.', { timestamp: String(SERVER_TIME + 300) }],
];

/** A request that is signed over another message, or with another key. */
const signed = (message: string | Buffer, key: string | Buffer = SECRET): Sent => ({
  signature: () => hmac(key, message),
});

/** By the reason that the owner sees. */
const INVALID: Readonly<Record<string, readonly Case[]>> = {
  signature_mismatch: [
    [
      'serialized again',
      'The body was parsed and serialized again before signing, and sent with its original white space.',
      { body: '{ "b": 1, "a": 2 }', ...signed(`${NOW}.{"b":1,"a":2}`) },
    ],
    [
      'serialized again with an indent of one space',
      'Signed as JSON.stringify(lead, null, 1) and json.dumps(lead, indent=1) write it, and sent without white space.',
      { body: '{"b":1,"a":[2]}', ...signed(`${NOW}.{\n "b": 1,\n "a": [\n  2\n ]\n}`) },
    ],
    [
      'newline added on the way',
      'Signed without the newline that was sent.',
      { body: `${LEAD}\n`, ...signed(`${NOW}.${LEAD}`) },
    ],
    [
      'line endings changed',
      'Signed with LF, sent with CRLF.',
      { body: '{\r\n"a":1\r\n}', ...signed(`${NOW}.{\n"a":1\n}`) },
    ],
    [
      'signed as Latin-1',
      'The signed body is Latin-1, the sent body UTF-8.',
      {
        body: '{"name":"Zoë"}',
        ...signed(Buffer.from(`${NOW}.{"name":"Zoë"}`, 'latin1')),
      },
    ],
    ['no dot', 'Timestamp and body without the dot between them.', signed(`${NOW}${LEAD}`)],
    ['body alone', 'The timestamp was not signed.', signed(LEAD)],
    [
      'another timestamp',
      'Sent a second after the one that was signed.',
      signed(`${SERVER_TIME - 1}.${LEAD}`),
    ],
    ['another secret', 'For example the one before the rotation.', signed(`${NOW}.${LEAD}`, `${SECRET}x`)],
    ['secret without whsec_', 'whsec_ is part of the secret.', signed(`${NOW}.${LEAD}`, BARE_SECRET)],
    [
      'secret decoded',
      'The secret is used as text.',
      signed(`${NOW}.${LEAD}`, Buffer.from(BARE_SECRET, 'base64')),
    ],
    [
      'hash without HMAC',
      'SHA-256 over secret and message.',
      { signature: () => createHash('sha256').update(`${SECRET}${NOW}.${LEAD}`).digest('hex') },
    ],
  ],
  signature_malformed: [
    [
      'base64',
      'The correct digest, but in base64.',
      { signature: (hex) => Buffer.from(hex, 'hex').toString('base64') },
    ],
    [
      'SHA-1',
      '40 digits.',
      { signature: () => createHmac('sha1', SECRET).update(`${NOW}.${LEAD}`).digest('hex') },
    ],
    ['one digit short', '63 digits.', { signature: (hex) => hex.slice(0, -1) }],
    [
      'prefix in upper case',
      'Only sha256= in lower case is a prefix.',
      { signature: (hex) => `SHA256=${hex}` },
    ],
  ],
  signature_missing: [['no signature', 'A signature is always required.', { signature: () => '' }]],
  timestamp_out_of_window: [
    ['milliseconds', 'Correctly signed, but 50,000 years ahead.', { timestamp: `${NOW}000` }],
    [
      '301 seconds old',
      'Correctly signed, but one second too old.',
      { timestamp: String(SERVER_TIME - 301) },
    ],
    [
      '301 seconds ahead',
      'Correctly signed, but one second too early.',
      { timestamp: String(SERVER_TIME + 301) },
    ],
  ],
  timestamp_invalid: [
    ['fraction of a second', 'Digits only.', { timestamp: `${NOW}.5` }],
    ['date', 'Digits only.', { timestamp: '2026-07-01T12:00:00Z' }],
  ],
};

export function signatureVectors() {
  const vectors = [
    ...VALID.map((each) => toVector(each)),
    ...Object.entries(INVALID).flatMap(([reason, cases]) => cases.map((each) => toVector(each, reason))),
  ];
  return {
    about:
      'Signatures of POST {base_url}/api/v1/ingest/:slug. The correct one is HMAC-SHA256 with the secret, as UTF-8, over the timestamp, a dot and the bytes of the body, in lowercase hex.',
    fields:
      'signature is the value of X-SVC-Signature, timestamp that of X-SVC-Timestamp. expected is the correct signature, even if another was sent. valid says whether timestamp and signature are accepted at serverTime; if not, reason is what the owner sees. bodyRule describes a long body: start, then repeat, repeated times times, then end.',
    serverTime: SERVER_TIME,
    vectors,
  };
}

function toVector([name, why, differs = {}]: Case, reason?: string) {
  const sent = typeof differs === 'string' || Buffer.isBuffer(differs) ? { body: differs } : differs;
  const { secret = SECRET, timestamp = NOW, body = LEAD, signature }: Sent = sent;
  const expected = hmac(secret, Buffer.concat([Buffer.from(`${timestamp}.`), bytesOf(body)]));
  return {
    name,
    valid: reason === undefined,
    ...(reason !== undefined && { reason }),
    why,
    secret,
    timestamp,
    ...shownBody(body),
    signature: signature?.(expected) ?? expected,
    expected,
  };
}

function bytesOf(body: string | Buffer | BodyRule): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  return Buffer.isBuffer(body) ? body : Buffer.from(body.start + body.repeat.repeat(body.times) + body.end);
}

/** Also as text, unless the text has invisible or ambiguous characters. */
function shownBody(body: string | Buffer | BodyRule) {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return { bodyRule: body };
  const bytes = bytesOf(body);
  const text = bytes.toString('utf8');
  const printable = Buffer.from(text).equals(bytes) && !/[^\P{C}\t\r\n\u200d]|\p{M}/u.test(text);
  return { bodyBase64: bytes.toString('base64'), ...(printable && { bodyText: text }) };
}

function hmac(secret: string | Buffer, message: string | Buffer): string {
  return createHmac('sha256', secret).update(message).digest('hex');
}

if (import.meta.main) writeFileSync(FILE, `${JSON.stringify(signatureVectors(), null, 2)}\n`);
