import { createHmac } from 'node:crypto';
import {
  INVALID_TOKEN,
  MISSING_TOKEN,
  NO_SECRET,
  rowOf,
  SIGNATURE_MALFORMED,
  SIGNATURE_MISSING,
  secondsFrom,
  TIMESTAMP_AHEAD,
  TIMESTAMP_BEHIND,
  TIMESTAMP_INVALID,
  TIMESTAMP_MISSING,
  WRONG_TOKEN_TYPE,
} from '../checks/causes.ts';
import { expectAccepted, expectEqual, expectRejected, expectThat } from '../checks/expectations.ts';
import { DECIDED, ONLY_1A, ONLY_1B, type Section, type Trial } from '../row.ts';
import { sign } from '../world/submission.ts';

async function checkRevoked({ world, sender, submit }: Trial): Promise<void> {
  expectAccepted(await submit());
  await world.ownerOf(sender).must('DELETE', `/tokens/${sender.tokenId}`);
  expectRejected(await submit());
}

async function checkNoOptionalSignature({ sender, submit }: Trial): Promise<void> {
  const unsigned = { 'X-SVC-Signature': null, 'X-SVC-Timestamp': null };
  expectRejected(await submit({ headers: unsigned }));
  // Not even with a credential that is good elsewhere.
  expectRejected(await submit({ headers: { ...unsigned, Authorization: `Bearer ${sender.token}` } }));
}

async function checkRawBytes({ submit }: Trial): Promise<void> {
  for (const body of [' {\r\n"a" : 1 }\r\n', '{"name":"Zoë 李雷 🚀"}', '{"a":"\\u00e9"}']) {
    expectAccepted(await submit({ body }));
  }
}

/** Each leaves out or changes a part of what is to be signed. */
async function checkOtherInput({ world, sender, submit }: Trial): Promise<void> {
  const timestamp = secondsFrom(world, 0);
  const body = '{"a":1}';
  for (const input of [body, `${timestamp}${body}`, `${timestamp}:${body}`, `${body}.${timestamp}`]) {
    const signature = createHmac('sha256', sender.secret).update(input).digest('hex');
    expectRejected(await submit({ body, timestamp, signature }));
  }
}

async function checkUpperCase({ world, sender, submit }: Trial): Promise<void> {
  const timestamp = secondsFrom(world, 0);
  const hex = sign(sender.secret, timestamp, '{}').toUpperCase();
  for (const signature of [hex, `sha256=${hex}`]) {
    expectAccepted(await submit({ body: '{}', timestamp, signature }));
  }
}

async function checkOtherPrefix({ world, sender, submit }: Trial): Promise<void> {
  const timestamp = secondsFrom(world, 0);
  const hex = sign(sender.secret, timestamp, '{}');
  for (const signature of [`SHA256=${hex}`, `sha1=${hex}`, `${hex}00`, hex.slice(2)]) {
    expectRejected(await submit({ body: '{}', timestamp, signature }));
  }
}

async function checkReserialised({ world, sender, submit }: Trial): Promise<void> {
  const timestamp = secondsFrom(world, 0);
  const body = '{ "b": 1, "a": 2 }';
  for (const other of ['{"b":1,"a":2}', '{"a":2,"b":1}', `${body}\n`]) {
    expectRejected(await submit({ body, timestamp, signature: sign(sender.secret, timestamp, other) }));
  }
  expectAccepted(await submit({ body, timestamp }));
}

async function checkTimestampSigned({ world, sender, submit }: Trial): Promise<void> {
  const signature = sign(sender.secret, secondsFrom(world, 0), '{}');
  expectRejected(await submit({ body: '{}', timestamp: secondsFrom(world, -10), signature }));
}

async function checkSet({ world, sender, submit }: Trial): Promise<void> {
  const path = `/forms/${sender.formId}/delivery/secret`;
  expectAccepted(await submit());
  const { secret } = await world.ownerOf(sender).must<{ secret: string }>('PUT', path, {});
  expectRejected(await submit());
  expectAccepted(await submit({ secret }));
}

async function checkRotated({ world, sender, submit }: Trial): Promise<void> {
  const rotate = (graceSeconds: number) =>
    world
      .ownerOf(sender)
      .must<{ secret: string }>('POST', `/forms/${sender.formId}/delivery/rotate`, { graceSeconds });
  const { secret: second } = await rotate(3_600);
  expectAccepted(await submit());
  expectAccepted(await submit({ secret: second }));
  const { secret: third } = await rotate(0);
  expectRejected(await submit({ secret: second }));
  expectAccepted(await submit({ secret: third }));
}

async function checkDebugger({ world, sender }: Trial): Promise<void> {
  const timestamp = secondsFrom(world, 0);
  const debug = (signature: string) =>
    world
      .ownerOf(sender)
      .must<{ decision: string; mistakes: readonly { name: string }[] }>(
        'POST',
        `/forms/${sender.formId}/delivery/debug`,
        { timestamp, signature, bodyBase64: Buffer.from('{}').toString('base64') },
      );
  expectEqual((await debug(sign(sender.secret, timestamp, '{}'))).decision, 'accepted', 'its decision');
  const wrong = await debug(createHmac('sha256', sender.secret).update('{}').digest('hex'));
  expectEqual(wrong.decision, 'signature_mismatch', 'its decision on a wrong signature');
  expectThat(wrong.mistakes.length > 0, 'the mistake to be named', wrong.mistakes);
}

const inChanging = ({ world }: Trial) => world.changing.newSender();

export const AUTHENTICATION: readonly Section[] = [
  {
    title: 'Authentication: Bearer token (Surface 1a)',
    rows: [
      {
        rule: 'Authorization: Bearer ingt_srv_<token> is accepted',
        surfaces: ONLY_1A,
        async check({ submit }) {
          expectAccepted(await submit());
        },
      },
      rowOf(MISSING_TOKEN, 'A missing token is rejected'),
      rowOf(INVALID_TOKEN, 'An invalid token is rejected'),
      rowOf(WRONG_TOKEN_TYPE, 'A token that is not of the server type is rejected'),
      {
        rule: 'A token that was revoked is rejected from the next submission on',
        surfaces: ONLY_1A,
        note: DECIDED,
        arrange: inChanging,
        check: checkRevoked,
      },
    ],
  },
  {
    title: 'Authentication: HMAC-signed request (Surface 1b)',
    rows: [
      rowOf(NO_SECRET, '1. A form without a webhook secret rejects every submission'),
      { rule: '1. No mode has an optional signature', surfaces: ONLY_1B, check: checkNoOptionalSignature },
      { rule: '2. Signed are the raw body bytes exactly as sent', surfaces: ONLY_1B, check: checkRawBytes },
      {
        rule: '2. Signed is "{timestamp}.{rawBody}", and nothing else will do',
        surfaces: ONLY_1B,
        check: checkOtherInput,
      },
      {
        rule: '3. A signature that is no hex of 32 bytes, or has another prefix, is rejected',
        surfaces: ONLY_1B,
        check: checkOtherPrefix,
      },
      {
        rule: '4. The received value is lowercased: upper case is accepted',
        surfaces: ONLY_1B,
        check: checkUpperCase,
      },
      {
        rule: '4. Values are compared in constant time',
        skipped: 'a network hides it; measured by npm run test:load, on one machine',
      },
      {
        rule: '5. A signature over a re-serialised body does not match',
        surfaces: ONLY_1B,
        check: checkReserialised,
      },
      {
        rule: '6. The timestamp is part of what is signed',
        surfaces: ONLY_1B,
        check: checkTimestampSigned,
      },
      rowOf(TIMESTAMP_BEHIND, '6. More than 5 minutes behind is rejected, signed or not'),
      rowOf(TIMESTAMP_AHEAD, '6. More than 5 minutes ahead is rejected, signed or not'),
      rowOf(TIMESTAMP_MISSING, '7. A missing timestamp is rejected'),
      rowOf(TIMESTAMP_INVALID, '7. An invalid timestamp is rejected'),
      rowOf(SIGNATURE_MISSING, '7. A missing signature is rejected'),
      rowOf(SIGNATURE_MALFORMED, '7. A malformed signature is rejected'),
      {
        rule: '8. The secret is set in the Delivery settings, and holds at once',
        surfaces: ONLY_1B,
        arrange: inChanging,
        check: checkSet,
      },
      {
        rule: '8. The secret is rotated there, with a grace period or without',
        surfaces: ONLY_1B,
        arrange: inChanging,
        check: checkRotated,
      },
      {
        rule: '8. A signature debugger tells right from wrong, and names the mistake',
        surfaces: ONLY_1B,
        check: checkDebugger,
      },
    ],
  },
  {
    title: 'Authentication: browser SDK (Surface 2)',
    rows: [
      {
        rule: 'A short-lived, origin-bound submission token',
        skipped: 'announced only: the specification gives it no interface',
      },
    ],
  },
];
