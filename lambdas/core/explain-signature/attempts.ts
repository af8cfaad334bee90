import type { Attempt } from './attempt.ts';
import { bodyAsSent, bodyVariants } from './body-variants.ts';
import type { FormSecrets, SignedInput } from './decide.ts';
import { type KeyVariant, keyVariants, type OtherSecret, otherKeyVariants } from './key-variants.ts';
import { MESSAGE_SHAPES, RIGHT_SHAPE, usesTimestamp } from './message-shapes.ts';
import { millisecondsOf, timestampVariants } from './timestamp-variants.ts';

export interface Secrets extends FormSecrets {
  /** The secrets of the workspace's other forms. */
  readonly others?: readonly OtherSecret[];
}

/** Beyond these sums of weight an explanation is far-fetched. */
const LIGHT = 1;
const HEAVIEST = 4;
/** With more forms than this their secrets are tried only with the right message. */
const FEW_OTHERS = 8;

/** Likeliest first. There can be tens of thousands: whoever asks stops at one that fits, or when the work is enough. */
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

/** Apart from the rest, since it is a thousand tries for one mistake. */
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

/** Every way to share out a weight over body, shape, timestamp and key. */
function* splits(total: number): Generator<[number, number, number, number]> {
  for (let body = 0; body <= total; body += 1)
    for (let shape = 0; shape <= total - body; shape += 1)
      for (let timestamp = 0; timestamp <= total - body - shape; timestamp += 1)
        yield [body, shape, timestamp, total - body - shape - timestamp];
}
