import { hash } from 'node:crypto';
import { type BodyVariant, bodyAsSent, bodyVariants } from './body-variants.ts';
import { type KeyVariant, keyVariants, type OtherSecret, otherKeyVariants } from './key-variants.ts';
import {
  fill,
  MESSAGE_SHAPES,
  type MessageShape,
  millisecondsOf,
  RIGHT_SHAPE,
  type TimestampVariant,
  timestampVariants,
  usesTimestamp,
} from './message-shapes.ts';
import type { FoundMistake } from './mistakes.ts';
import type { Algorithm, FormSecrets, SignedInput } from './signature-proof.ts';

/**
 * HMAC as in RFC 2104, on top of the hash. Node's own takes 15 µs to set up, several times the hashing of a small body,
 * and this runs thousands of times. Only used to explain: the decision uses Node's.
 */
export function hmac(algorithm: Algorithm, key: Buffer, message: readonly Buffer[]): Buffer {
  const blockBytes = algorithm === 'sha384' || algorithm === 'sha512' ? 128 : 64;
  const short = key.length > blockBytes ? hash(algorithm, key, 'buffer') : key;
  const inner = hashOf(algorithm, [padded(short, blockBytes, 0x36), ...message]);
  return hashOf(algorithm, [padded(short, blockBytes, 0x5c), inner]);
}

/** In one call: for a small body, copying the bytes is cheaper than several updates. */
export function hashOf(algorithm: Algorithm, parts: readonly Buffer[]): Buffer {
  return hash(algorithm, Buffer.concat(parts), 'buffer');
}

function padded(key: Buffer, blockBytes: number, pad: number): Buffer {
  const block = Buffer.alloc(blockBytes, pad);
  for (let at = 0; at < key.length; at += 1) block[at] = pad ^ (key[at] as number);
  return block;
}

/** One way in which the signature may have been made. */
export interface Attempt {
  readonly body: BodyVariant;
  readonly shape: MessageShape;
  readonly timestamp: TimestampVariant;
  readonly key: KeyVariant;
}

/** The signed message, built from its parts. Never contains a key. */
export function messageOf({ body, shape, timestamp }: Attempt): Buffer[] {
  const before = Buffer.from(fill(shape.before, timestamp.text));
  const after = Buffer.from(fill(shape.after, timestamp.text));
  return [before, body.bytes, after];
}

export function digestOf(attempt: Attempt, algorithm: Algorithm): Buffer {
  const { key } = attempt;
  const message = messageOf(attempt);
  switch (key.keying) {
    case 'hmac':
      return hmac(algorithm, key.key, message);
    case 'swapped':
      return hmac(algorithm, Buffer.concat(message), [key.key]);
    case 'prepended':
      return hashOf(algorithm, [key.key, ...message]);
    case 'appended':
      return hashOf(algorithm, [...message, key.key]);
    case 'unkeyed':
      return hashOf(algorithm, message);
  }
}

export function mistakesOf({ body, shape, timestamp, key }: Attempt): FoundMistake[] {
  const names = [...timestamp.mistakes, ...shape.mistakes, ...body.mistakes()];
  // Without body and dot nothing but the timestamp is left, and that is easier said at once.
  if (names.includes('body_empty') && names.includes('message_without_dot')) {
    return [
      ...timestamp.mistakes.map((name) => ({ name })),
      { name: 'message_timestamp_alone' },
      ...key.mistakes,
    ];
  }
  const { detail } = body;
  return [
    ...names.map((name) => (name === 'body_respaced' && detail ? { name, detail } : { name })),
    ...key.mistakes,
  ];
}

export interface Secrets extends FormSecrets {
  /** The secrets of the workspace's other forms. */
  readonly others?: readonly OtherSecret[];
}

/** Combinations of mistakes with a higher total weight are too unlikely to try. */
const LIGHT = 1;
const HEAVIEST = 4;
/** If a workspace has more forms than this, their secrets are tried only with the right message. */
const FEW_OTHERS = 8;

/** Likeliest first. There can be tens of thousands: callers stop at the first match or when they have tried enough. */
export function* attempts(
  { timestamp = '', body }: SignedInput,
  { others = [], ...secrets }: Secrets,
  nowMilliseconds: number,
): Generator<Attempt> {
  const keys = keyVariants(secrets, nowMilliseconds);
  const otherKeys = otherKeyVariants(others, keys);
  const bodies = bodyVariants(body);
  const timestamps = timestampVariants(timestamp);
  const asSent = { body: bodies[0], timestamp: timestamps[0], shape: RIGHT_SHAPE } as Omit<Attempt, 'key'>;

  yield* combinations({ bodies, timestamps, keys }, 0, LIGHT);
  for (const key of otherKeys) yield { ...asSent, key };
  const combined = others.length <= FEW_OTHERS ? [...keys, ...otherKeys] : keys;
  yield* combinations({ bodies, timestamps, keys: combined }, LIGHT + 1, HEAVIEST);
}

/** Separate, because this one mistake takes a thousand tries. */
export function* millisecondAttempts(
  { timestamp = '', body }: SignedInput,
  secrets: FormSecrets,
  nowMilliseconds: number,
): Generator<Attempt> {
  const asSent = bodyAsSent(body);
  const valid = keyVariants(secrets, nowMilliseconds).filter(({ weight }) => weight === 0);
  for (const key of valid) {
    for (const each of millisecondsOf(timestamp)) {
      yield { body: asSent, shape: RIGHT_SHAPE, timestamp: each, key };
    }
  }
}

interface Table {
  readonly bodies: readonly Attempt['body'][];
  readonly timestamps: readonly Attempt['timestamp'][];
  readonly keys: readonly KeyVariant[];
}

function* combinations(table: Table, lightest: number, heaviest: number): Generator<Attempt> {
  const shapes = byWeight(MESSAGE_SHAPES);
  const timestamps = byWeight(table.timestamps);
  const keys = byWeight(table.keys);
  const bodies = byWeight(table.bodies);
  for (let total = lightest; total <= heaviest; total += 1) {
    for (const [ofBody, ofShape, ofTimestamp, ofKey] of splits(total)) {
      for (const body of bodies(ofBody))
        for (const shape of shapes(ofShape))
          for (const timestamp of timestamps(ofTimestamp))
            for (const key of keys(ofKey)) {
              if (timestamp.weight > 0 && !usesTimestamp(shape)) continue;
              yield { body, shape, timestamp, key };
            }
    }
  }
}

function byWeight<Variant extends { readonly weight: number }>(variants: readonly Variant[]) {
  const groups = Map.groupBy(variants, ({ weight }) => weight);
  return (weight: number): readonly Variant[] => groups.get(weight) ?? [];
}

/** Every way to split a weight between body, shape, timestamp and key. */
function* splits(total: number): Generator<[number, number, number, number]> {
  for (let body = 0; body <= total; body += 1)
    for (let shape = 0; shape <= total - body; shape += 1)
      for (let timestamp = 0; timestamp <= total - body - shape; timestamp += 1)
        yield [body, shape, timestamp, total - body - shape - timestamp];
}
