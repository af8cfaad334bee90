import { createHmac, randomBytes } from 'node:crypto';
import { expectAccepted, expectEqual, expectRejected, expectThat } from '../checks/expectations.ts';
import { ONLY_1B, type Section, type Sent, type Trial } from '../row.ts';
import { sign } from '../world/submission.ts';
import { twenty } from './bearer.ts';
import { CAUSES, secondsFrom } from './causes.ts';

/** A submission whose signature is made from the correct one, or from other input. */
function signedAs(make: (correct: string, timestamp: string, secret: string) => string, body = '{}'): Sent {
  return ({ world, sender: { secret } }) => {
    const timestamp = secondsFrom(world, 0);
    return { body, timestamp, signature: make(sign(secret, timestamp, body), timestamp, secret) };
  };
}

const hmac = (secret: string, input: string) => createHmac('sha256', secret).update(input).digest('hex');

/** Not valid UTF-8. */
const BINARY = Buffer.from([0xff, 0xfe, 0x0d, 0x0a, 0x00, 0x80]);
const SPACED = '{ "b": 1, "a": 2 }';
const unsigned = { 'X-SVC-Signature': null, 'X-SVC-Timestamp': null };

const inChanging = ({ world }: Trial) => world.changing.newSender();

async function checkTimestampSigned({ world, sender, submit }: Trial): Promise<void> {
  const timestamp = secondsFrom(world, 0);
  const signature = sign(sender.secret, timestamp, '{}');
  expectAccepted(await submit({ body: '{}', timestamp, signature }));
  for (const other of [Number(timestamp) - 10, Number(timestamp) + 1]) {
    expectRejected(await submit({ body: '{}', timestamp: String(other), signature }));
  }
}

async function checkSet({ world, sender, submit }: Trial): Promise<void> {
  const path = `/forms/${sender.formId}/delivery/secret`;
  expectAccepted(await submit());
  const { secret } = await world.ownerOf(sender).must<{ secret: string }>('PUT', path, {});
  expectRejected(await submit());
  expectAccepted(await submit({ secret }));
}

async function checkRotated({ world, sender, submit }: Trial): Promise<void> {
  const path = `/forms/${sender.formId}/delivery/rotate`;
  const rotate = (graceSeconds: number) =>
    world.ownerOf(sender).must<{ secret: string }>('POST', path, { graceSeconds });
  expectAccepted(await submit());
  const { secret: second } = await rotate(3_600);
  expectAccepted(await submit());
  expectAccepted(await submit({ secret: second }));
  const { secret: third } = await rotate(0);
  expectRejected(await submit({ secret: second }));
  expectAccepted(await submit({ secret: third }));
}

async function checkDebugger({ world, sender }: Trial): Promise<void> {
  const timestamp = secondsFrom(world, 0);
  const path = `/forms/${sender.formId}/delivery/debug`;
  const debug = (signature: string) =>
    world.ownerOf(sender).must<{ decision: string; mistakes: readonly { name: string }[] }>('POST', path, {
      timestamp,
      signature,
      bodyBase64: Buffer.from('{}').toString('base64'),
    });
  expectEqual((await debug(sign(sender.secret, timestamp, '{}'))).decision, 'accepted', 'its decision');
  const wrong = await debug(hmac(sender.secret, '{}'));
  expectEqual(wrong.decision, 'signature_mismatch', 'its decision on a wrong signature');
  expectThat(wrong.mistakes.length > 0, 'the mistake to be named', wrong.mistakes);
}

export const HMAC: Section = {
  id: 'hmac',
  title: 'Authentication: HMAC-signed request (Surface 1b)',
  rows: [
    { ...CAUSES.noSecret, rule: '1. A form without a webhook secret rejects every submission' },
    {
      id: 'signature-not-optional',
      rule: '1. The signature is never optional, not even with a valid Bearer token',
      surfaces: ONLY_1B,
      examples: {
        'no signature and no timestamp': { headers: unsigned },
        'a token instead of both': ({ sender }) => ({
          headers: { ...unsigned, Authorization: `Bearer ${sender.token}` },
        }),
        'a token instead of the signature': ({ sender }) => ({
          headers: { 'X-SVC-Signature': null, Authorization: `Bearer ${sender.token}` },
        }),
      },
      expect: 'rejected',
    },
    {
      id: 'raw-bytes',
      rule: '2. The raw body bytes are signed, exactly as sent',
      surfaces: ONLY_1B,
      examples: {
        'white space': { body: ' {\r\n"a" : 1 }\r\n' },
        'UTF-8': { body: '{"name":"Zoë 李雷 🚀"}' },
        escapes: { body: '{"a":"\\u00e9"}' },
      },
      expect: 'accepted',
    },
    {
      id: 'binary-bytes',
      rule: '2. Bytes that are not UTF-8 are verified as sent, before they are parsed',
      surfaces: ONLY_1B,
      send: { body: BINARY },
      expect: 'body_invalid_json',
      authenticated: true,
    },
    {
      id: 'other-input',
      rule: '2. The signed input is "{timestamp}.{rawBody}" and nothing else',
      surfaces: ONLY_1B,
      examples: {
        'the body alone': signedAs((_, _timestamp, secret) => hmac(secret, '{}')),
        'no dot': signedAs((_, timestamp, secret) => hmac(secret, `${timestamp}{}`)),
        'a colon': signedAs((_, timestamp, secret) => hmac(secret, `${timestamp}:{}`)),
        'the timestamp at the end': signedAs((_, timestamp, secret) => hmac(secret, `{}.${timestamp}`)),
      },
      expect: 'rejected',
    },
    {
      id: 'other-encoding',
      rule: '3. A signature that is not 32 bytes in hex, or has another prefix, is rejected',
      surfaces: ONLY_1B,
      examples: {
        'SHA256=': signedAs((hex) => `SHA256=${hex}`),
        'sha1=': signedAs((hex) => `sha1=${hex}`),
        '33 bytes': signedAs((hex) => `${hex}00`),
        '31 bytes': signedAs((hex) => hex.slice(2)),
        '63 digits': signedAs((hex) => hex.slice(1)),
      },
      expect: 'rejected',
    },
    {
      id: 'upper-case',
      rule: '4. The received value is lowercased: upper case is accepted',
      surfaces: ONLY_1B,
      examples: {
        'without prefix': signedAs((hex) => hex.toUpperCase()),
        'with prefix': signedAs((hex) => `sha256=${hex.toUpperCase()}`),
      },
      expect: 'accepted',
    },
    {
      id: 'constant-time',
      rule: '4. Values are compared in constant time',
      skipped: 'a network hides it; npm run test:load measures it on one machine',
    },
    {
      id: 'reserialized',
      rule: '5. A signature over a re-serialized body does not match',
      surfaces: ONLY_1B,
      examples: {
        'no white space': signedAs((_, time, secret) => sign(secret, time, '{"b":1,"a":2}'), SPACED),
        'sorted keys': signedAs((_, time, secret) => sign(secret, time, '{"a":2,"b":1}'), SPACED),
        'a newline': signedAs((_, time, secret) => sign(secret, time, `${SPACED}\n`), SPACED),
      },
      expect: 'rejected',
    },
    {
      id: 'as-sent',
      rule: '5. A signature over the same body as sent does match',
      surfaces: ONLY_1B,
      send: { body: SPACED },
      expect: 'accepted',
    },
    {
      id: 'timestamp-signed',
      rule: '6. The timestamp is part of the signed input',
      surfaces: ONLY_1B,
      check: checkTimestampSigned,
    },
    { ...CAUSES.timestampBehind, rule: '6. More than 5 minutes behind is rejected, even if signed' },
    { ...CAUSES.timestampAhead, rule: '6. More than 5 minutes ahead is rejected, even if signed' },
    { ...CAUSES.timestampMissing, rule: '7. A missing timestamp is rejected' },
    { ...CAUSES.timestampInvalid, rule: '7. An invalid timestamp is rejected' },
    { ...CAUSES.signatureMissing, rule: '7. A missing signature is rejected' },
    { ...CAUSES.signatureMalformed, rule: '7. A malformed signature is rejected' },
    {
      id: 'random-signatures',
      rule: '7. 20 random signatures are rejected',
      surfaces: ONLY_1B,
      examples: twenty(() => ({ signature: randomBytes(32).toString('hex') })),
      expect: 'rejected',
    },
    {
      id: 'secret-set',
      rule: '8. The secret is set in the Delivery settings and applies at once',
      surfaces: ONLY_1B,
      arrange: inChanging,
      check: checkSet,
    },
    {
      id: 'secret-rotated',
      rule: '8. The secret is rotated there, with or without a grace period',
      surfaces: ONLY_1B,
      arrange: inChanging,
      check: checkRotated,
    },
    {
      id: 'debugger',
      rule: '8. A signature debugger tells right from wrong and names the mistake',
      surfaces: ONLY_1B,
      check: checkDebugger,
    },
  ],
};
