import { createHash, createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';

/**
 * Writes docs/api/signature-vectors.json from the fixed inputs below: `npm run make:signature-vectors`. Whoever writes
 * a signer tries it on the valid ones; the others are mistakes that people make, and the reason that an owner then
 * reads in Diagnostics.
 */

const FILE = new URL('../docs/api/signature-vectors.json', import.meta.url);

/** 2026-07-01T12:00:00Z: the server's clock in all of them. */
const SERVER_TIME = 1_782_907_200;

const SECRET = 'whsec_4vQ9cT1mZx7LrB0nYk2Hs8Wd5Jf3GpUa6EoRiN';
const NOW = String(SERVER_TIME);
const LEAD = '{"name":"Ada Byron","email":"ada@analytical-engines.example"}';

interface Sent {
  readonly secret?: string;
  readonly timestamp?: string;
  readonly body?: string | Buffer | BodyRule;
  /** The header's value; without it, the right signature. */
  readonly signature?: (right: string, sent: Required<Omit<Sent, 'signature'>>) => string;
}

/** A long body, told instead of shown. */
interface BodyRule {
  readonly start: string;
  readonly repeat: string;
  readonly times: number;
  readonly end: string;
}

interface Case extends Sent {
  readonly name: string;
  readonly why: string;
  /** What the verifier says instead of accepting it. */
  readonly reason?: string;
}

const VALID: readonly Case[] = [
  { name: 'ordinary', why: 'A lead as most are, signed as documented.', body: LEAD },
  { name: 'smallest object', why: 'An empty object is a lead too.', body: '{}' },
  {
    name: 'prefix',
    why: 'The prefix sha256= may stand before the digits.',
    signature: (right) => `sha256=${right}`,
  },
  { name: 'upper case', why: 'Digits are lowercased.', signature: (right) => right.toUpperCase() },
  {
    name: 'prefix and upper case',
    why: 'Both at once. The prefix itself is lower case.',
    signature: (right) => `sha256=${right.toUpperCase()}`,
  },
  {
    name: 'text beyond ASCII',
    why: 'Text is signed as its UTF-8 bytes.',
    body: '{"name":"Zoë Müller-Łukasiewicz","city":"東京"}',
  },
  {
    name: 'emoji',
    why: 'Four bytes each, joined ones more: bytes count, not characters.',
    body: '{"message":"👩‍💻 says 👋🏽"}',
  },
  {
    name: 'escaped text',
    why: 'The same value as an escape is other bytes: whatever is sent is signed.',
    body: '{"name":"Zo\\u00eb","message":"a\\/b"}',
  },
  {
    name: 'decomposed text',
    why: 'e and a combining diaeresis: nothing is normalised.',
    body: '{"name":"Zoe\u0308"}',
  },
  {
    name: 'CRLF',
    why: 'Line ends are bytes as well.',
    body: '{\r\n  "name": "Ada Byron"\r\n}',
  },
  { name: 'trailing newline', why: 'Sent, therefore signed.', body: `${LEAD}\n` },
  {
    name: 'white space',
    why: 'Blanks and tabs between tokens are kept as they are.',
    body: '\t{ "b" :\t1 ,  "a" : 2 }  ',
  },
  { name: 'dots', why: 'Only the first dot separates.', body: '{".":".","a.b":"1.2.3"}' },
  {
    name: 'digits',
    why: 'Numbers are not read before they are signed: no digit is lost.',
    body: '{"id":12345678901234567890.10,"e":1E400}',
  },
  {
    name: 'same key twice',
    why: 'What a parser would drop is signed.',
    body: '{"a":1,"a":2}',
  },
  {
    name: 'NUL',
    why: 'A zero byte ends nothing. The signature fits; as JSON the body is then rejected.',
    body: Buffer.from('{"a":"\0"}'),
  },
  {
    name: 'no UTF-8',
    why: 'Bytes that are no text. The signature fits; as JSON the body is then rejected.',
    body: Buffer.from([0xff, 0xfe, 0x0d, 0x0a, 0x00, 0x80]),
  },
  {
    name: 'byte order mark',
    why: 'Three bytes more. The signature fits; as JSON the body is then rejected.',
    body: `\ufeff${LEAD}`,
  },
  {
    name: 'empty body',
    why: 'The message ends with the dot. The signature fits; as JSON the body is then rejected.',
    body: '',
  },
  {
    name: 'largest body',
    why: '131,072 bytes, the most that is taken.',
    body: { start: '{"message":"', repeat: 'x', times: 131_058, end: '"}' },
  },
  {
    name: 'secret with blanks',
    why: 'Blanks inside a secret of your own belong to it.',
    secret: 'correct horse battery staple',
  },
  {
    name: 'secret beyond ASCII',
    why: 'The key is the secret’s UTF-8 bytes.',
    secret: 'Schlüssel für Zoë 🔑 2026',
  },
  {
    name: 'secret of 64 bytes',
    why: 'Exactly a block of SHA-256: the key as it is.',
    secret: 'k'.repeat(64),
  },
  {
    name: 'secret of 200 characters',
    why: 'Longer than a block: HMAC itself hashes the key first.',
    secret: 'long-secret-'.repeat(17).slice(0, 200),
  },
  {
    name: 'secret that looks like hex',
    why: 'It is text: nothing is decoded.',
    secret: '00112233445566778899aabbccddeeff',
  },
  {
    name: 'leading zeros',
    why: 'The timestamp’s text is signed, not its value.',
    timestamp: `00${NOW}`,
  },
  { name: '300 seconds old', why: 'Just inside the window.', timestamp: String(SERVER_TIME - 300) },
  { name: '300 seconds ahead', why: 'Just inside the window.', timestamp: String(SERVER_TIME + 300) },
];

const INVALID: readonly Case[] = [
  {
    name: 'serialised again',
    why: 'Signed over the parsed and newly written body, sent with its own white space.',
    reason: 'signature_mismatch',
    body: '{ "b": 1, "a": 2 }',
    signature: (_, { secret, timestamp }) => hmac(secret, `${timestamp}.{"b":1,"a":2}`),
  },
  {
    name: 'newline added on the way',
    why: 'Signed without the newline that was sent.',
    reason: 'signature_mismatch',
    body: `${LEAD}\n`,
    signature: (_, { secret, timestamp }) => hmac(secret, `${timestamp}.${LEAD}`),
  },
  {
    name: 'line ends changed',
    why: 'Signed with LF, sent with CRLF.',
    reason: 'signature_mismatch',
    body: '{\r\n"a":1\r\n}',
    signature: (_, { secret, timestamp }) => hmac(secret, `${timestamp}.{\n"a":1\n}`),
  },
  {
    name: 'signed as Latin-1',
    why: 'Signed as one byte a character, sent as UTF-8.',
    reason: 'signature_mismatch',
    body: '{"name":"Zoë"}',
    signature: (_, { secret, timestamp }) =>
      hmac(secret, Buffer.from(`${timestamp}.{"name":"Zoë"}`, 'latin1')),
  },
  {
    name: 'no dot',
    why: 'Timestamp and body without the dot between them.',
    reason: 'signature_mismatch',
    signature: (_, { secret, timestamp }) => hmac(secret, `${timestamp}${LEAD}`),
  },
  {
    name: 'body alone',
    why: 'The timestamp was not signed.',
    reason: 'signature_mismatch',
    signature: (_, { secret }) => hmac(secret, LEAD),
  },
  {
    name: 'another timestamp',
    why: 'Sent a second after the one that was signed.',
    reason: 'signature_mismatch',
    signature: (_, { secret }) => hmac(secret, `${SERVER_TIME - 1}.${LEAD}`),
  },
  {
    name: 'another secret',
    why: 'For instance the one before the rotation.',
    reason: 'signature_mismatch',
    signature: (_, { timestamp }) => hmac(`${SECRET}x`, `${timestamp}.${LEAD}`),
  },
  {
    name: 'secret without whsec_',
    why: 'whsec_ belongs to the secret.',
    reason: 'signature_mismatch',
    signature: (_, { secret, timestamp }) => hmac(secret.slice('whsec_'.length), `${timestamp}.${LEAD}`),
  },
  {
    name: 'secret decoded',
    why: 'The secret’s text is the key, not what it would be in base64.',
    reason: 'signature_mismatch',
    signature: (_, { secret, timestamp }) =>
      hmac(Buffer.from(secret.slice('whsec_'.length), 'base64'), `${timestamp}.${LEAD}`),
  },
  {
    name: 'hash and no HMAC',
    why: 'SHA-256 over secret and message.',
    reason: 'signature_mismatch',
    signature: (_, { secret, timestamp }) =>
      createHash('sha256').update(`${secret}${timestamp}.${LEAD}`).digest('hex'),
  },
  {
    name: 'base64',
    why: 'The right digest, but in base64.',
    reason: 'signature_malformed',
    signature: (right) => Buffer.from(right, 'hex').toString('base64'),
  },
  {
    name: 'SHA-1',
    why: 'Forty digits.',
    reason: 'signature_malformed',
    signature: (_, { secret, timestamp }) =>
      createHmac('sha1', secret).update(`${timestamp}.${LEAD}`).digest('hex'),
  },
  {
    name: 'a digit short',
    why: 'Sixty-three digits.',
    reason: 'signature_malformed',
    signature: (right) => right.slice(0, -1),
  },
  {
    name: 'prefix in upper case',
    why: 'Only sha256= in lower case is a prefix.',
    reason: 'signature_malformed',
    signature: (right) => `SHA256=${right}`,
  },
  {
    name: 'no signature',
    why: 'There is no mode without one.',
    reason: 'signature_missing',
    signature: () => '',
  },
  {
    name: 'milliseconds',
    why: 'Rightly signed, but a time some fifty thousand years ahead.',
    reason: 'timestamp_out_of_window',
    timestamp: `${NOW}000`,
  },
  {
    name: '301 seconds old',
    why: 'Rightly signed, and a second too old.',
    reason: 'timestamp_out_of_window',
    timestamp: String(SERVER_TIME - 301),
  },
  {
    name: '301 seconds ahead',
    why: 'Rightly signed, and a second too early.',
    reason: 'timestamp_out_of_window',
    timestamp: String(SERVER_TIME + 301),
  },
  {
    name: 'fraction of a second',
    why: 'Digits only.',
    reason: 'timestamp_invalid',
    timestamp: `${NOW}.5`,
  },
  {
    name: 'date',
    why: 'Digits only.',
    reason: 'timestamp_invalid',
    timestamp: '2026-07-01T12:00:00Z',
  },
];

export function signatureVectors() {
  const vectors = [
    ...VALID.map((each) => toVector(each, true)),
    ...INVALID.map((each) => toVector(each, false)),
  ];
  return {
    about:
      'Signatures of POST {base_url}/api/v1/ingest/:slug. The right one is HMAC-SHA256 with the secret, as UTF-8, over the timestamp, a dot and the bytes of the body, in lowercase hex.',
    fields:
      'signature is the value of X-SVC-Signature, timestamp that of X-SVC-Timestamp. expected is the right signature, also where another was sent. valid says whether timestamp and signature are accepted at serverTime; reason is what the owner reads if not. A long body is told by bodyRule: start, then repeat so many times, then end.',
    serverTime: SERVER_TIME,
    vectors,
  };
}

function toVector(given: Case, valid: boolean) {
  const { secret = SECRET, timestamp = NOW, body = LEAD } = given;
  const bytes = bytesOf(body);
  const expected = hmac(secret, Buffer.concat([Buffer.from(`${timestamp}.`), bytes]));
  const signature = given.signature?.(expected, { secret, timestamp, body }) ?? expected;
  return {
    name: given.name,
    valid,
    ...(given.reason !== undefined && { reason: given.reason }),
    why: given.why,
    secret,
    timestamp,
    ...shownBody(body),
    signature,
    expected,
  };
}

function bytesOf(body: string | Buffer | BodyRule): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  return Buffer.isBuffer(body) ? body : Buffer.from(body.start + body.repeat.repeat(body.times) + body.end);
}

/** As text as well, where text can be told from other text by looking at it. */
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
