import { timingSafeEqual } from 'node:crypto';
import { type Attempt, digestOf, mistakesOf } from './attempts.ts';
import { type BodyVariant, bodyAsSent, decodeUtf8, replaceBytes } from './body-variants.ts';
import { type KeyVariant, PREFIX } from './key-variants.ts';
import { MESSAGE_SHAPES, RIGHT_SHAPE, type TimestampVariant } from './message-shapes.ts';
import type { MistakeName } from './mistakes.ts';
import { reserializedBodies } from './reserialized-bodies.ts';
import { type FormSecrets, graceLasts, readSignature, type SignedInput } from './signature-proof.ts';

export const SHORT_BODY_BYTES = 8 * 1024;
export const SHORT_TRIES = 24;

/** Shaped like the secrets that we make, so that the work on it is the same. */
const DECOY = 'whsec_decoyThatSignsNothingButTakesAsLongAsTheOther';
const FORMS = 6;

/**
 * The likeliest mistake behind a signature that does not match, for Diagnostics. The work depends only on the request:
 * every attempt is made, against decoys if there is no secret, and a match ends nothing early. So call it for every
 * mismatch, even for an unknown slug. It knows no other form's secret.
 */
export function shortExplanation(
  input: SignedInput,
  secrets: FormSecrets,
  nowMilliseconds: number,
): MistakeName | undefined {
  const read = readSignature(input.signature);
  if (!read || input.body.length > SHORT_BODY_BYTES) return undefined;
  const [fitting] = shortAttempts(input, secrets, nowMilliseconds).filter((attempt) =>
    timingSafeEqual(digestOf(attempt, read.algorithm), read.digest),
  );
  // Anybody can sign with nothing, so something may fit also where there is no secret: named first, then withheld.
  const mistake = fitting && (mistakesOf(fitting)[0]?.name ?? read.mistakes[0]);
  return secrets.current === undefined ? undefined : mistake;
}

/** Always the same number. A variant that changes nothing is tried too, but names no mistake. */
export function shortAttempts(
  { timestamp = '', body }: SignedInput,
  secrets: FormSecrets,
  nowMilliseconds: number,
): Attempt[] {
  const right: Attempt = {
    body: bodyAsSent(body),
    shape: RIGHT_SHAPE,
    timestamp: { text: timestamp, mistakes: [], weight: 0 },
    key: keyOf(secrets.current ?? DECOY),
  };
  return [
    // The correct message; only the encoding of the signature may be wrong.
    right,
    ...MESSAGE_SHAPES.slice(1, 6).map((shape) => ({ ...right, shape })),
    ...bodies(right.body.bytes).map((each) => ({ ...right, body: each })),
    ...timestamps(timestamp).map((each) => ({ ...right, timestamp: each })),
    ...keys(secrets, nowMilliseconds).map((each) => ({ ...right, key: each })),
  ];
}

function bodies(body: Buffer): BodyVariant[] {
  const variantOf = (bytes: Buffer, mistakes: BodyVariant['mistakes']): BodyVariant => ({
    bytes,
    mistakes: bytes.equals(body) ? () => [] : mistakes,
    weight: 1,
  });
  const variant = (bytes: Buffer, name: MistakeName) => variantOf(bytes, () => [name]);
  const written = reserializedBodies(decodeUtf8(body) ?? '', FORMS);
  return [
    variant(Buffer.concat([body, Buffer.from('\n')]), 'body_newline_added'),
    variant(replaceBytes(body, /\r?\n$/, ''), 'body_newline_cut'),
    variant(replaceBytes(body, /\r\n/g, '\n'), 'body_crlf_to_lf'),
    variant(replaceBytes(body, /(?<!\r)\n/g, '\r\n'), 'body_lf_to_crlf'),
    variant(Buffer.from('[object Object]'), 'body_as_object_text'),
    // One more than the forms: what JavaScript makes of it.
    ...Array.from({ length: FORMS + 1 }, (_, at) => {
      const each = written[at];
      return each ? variantOf(Buffer.from(each.text), each.mistakes) : bodyAsSent(body);
    }),
  ];
}

function timestamps(sent: string): TimestampVariant[] {
  const texts: [string, MistakeName][] = [
    [`${sent}000`, 'timestamp_milliseconds_signed'],
    [`${Number(sent) - 1}`, 'timestamp_read_twice'],
  ];
  return texts.map(([text, name]) => ({ text, mistakes: [name], weight: 1 }));
}

function keys(secrets: FormSecrets, nowMilliseconds: number): KeyVariant[] {
  const current = secrets.current ?? DECOY;
  const previous = secrets.previous?.secret ?? DECOY;
  const ended = secrets.previous !== undefined && !graceLasts(secrets, nowMilliseconds);
  const trimmed = current.trim();
  return [
    keyOf(trimmed === current ? `${current}\n` : trimmed, 'secret_with_whitespace'),
    current.startsWith(PREFIX)
      ? keyOf(current.slice(PREFIX.length), 'secret_without_prefix')
      : keyOf(PREFIX + current, 'secret_prefix_added'),
    keyOf('', 'secret_empty'),
    ended && previous !== current ? keyOf(previous, 'secret_previous') : keyOf(previous),
  ];
}

function keyOf(key: string, ...names: MistakeName[]): KeyVariant {
  return { keying: 'hmac', key: Buffer.from(key), mistakes: names.map((name) => ({ name })), weight: 1 };
}
