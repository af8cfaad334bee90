import type { BodyVariant } from './body-variants.ts';
import { hashOf, hmac } from './hmac.ts';
import type { KeyVariant } from './key-variants.ts';
import { fill, type MessageShape } from './message-shapes.ts';
import type { FoundMistake } from './mistakes.ts';
import type { Algorithm } from './read-signature.ts';
import type { TimestampVariant } from './timestamp-variants.ts';

/** One way in which the signature may have been made. */
export interface Attempt {
  readonly body: BodyVariant;
  readonly shape: MessageShape;
  readonly timestamp: TimestampVariant;
  readonly key: KeyVariant;
}

/** What was signed, in pieces; never with a key in it. */
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
  return [...names.map((name) => ({ name })), ...key.mistakes];
}
