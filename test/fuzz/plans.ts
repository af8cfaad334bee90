import type { SeededRandom } from '../random.ts';
import { fill } from './corpus.ts';
import { type Draft, type Mutation, toBytes, validDraft } from './draft.ts';
import type { Delivery } from './exchange.ts';
import { BODY, ENORMOUS_BODY } from './mutations/body.ts';
import { CREDENTIALS, IDEMPOTENCY } from './mutations/credentials.ts';
import { CONNECTION, FRAMING } from './mutations/framing.ts';
import { HEADERS } from './mutations/headers.ts';
import { METHOD, PAGES, PATH } from './mutations/request-line.ts';
import type { World } from './world.ts';

const GROUPS = [METHOD, PATH, PAGES, HEADERS, CREDENTIALS, IDEMPOTENCY, BODY, FRAMING, CONNECTION];
const ENORMOUS = 0.002;
const ALONE = 0.6;

/** A valid submission with one to three changes. */
export function structuredPlan(random: SeededRandom, world: World, nowSeconds: number): Plan {
  const draft = validDraft(random, world, nowSeconds);
  const draw = (): Mutation => {
    if (random.chance(ENORMOUS)) return random.pick(ENORMOUS_BODY);
    const group = random.pick(GROUPS).filter(({ surface }) => !surface || surface === draft.surface);
    return random.pick(group);
  };
  const chosen = Array.from({ length: random.chance(ALONE) ? 1 : random.between(2, 3) }, draw);
  for (const { apply } of chosen) apply(draft, random, world);
  return {
    mutator: 'structured',
    kinds: [...new Set(chosen.map(({ kind }) => kind))],
    delivery: deliveryOf(draft, random),
    copies: draft.copies,
    effect: chosen.length === 1 ? chosen[0]?.effect : undefined,
  };
}

export function deliveryOf(draft: Draft, random: SeededRandom): Delivery {
  const bytes = toBytes(draft, random);
  const { cuts, hangUpAfter } = draft;
  return { bytes, ...(cuts && { cuts }), ...(hangUpAfter && { hangUpAfter: hangUpAfter(bytes.length) }) };
}

/** What to send: the same bytes on one or several connections. */
export interface Plan {
  readonly mutator: 'corpus' | 'structured' | 'byte-level' | '1c structured' | '1c byte-level';
  /** The kinds of changes, for the table. */
  readonly kinds: readonly string[];
  readonly delivery: Delivery;
  readonly copies: number;
  /** The declared effect, if it is the only mutation. */
  readonly effect?: Mutation['effect'] | undefined;
}

/** Strings that break parsers more often than random bytes do. */
const TOKENS = [
  ...'\r\n\0 \t:;,%/?"{}[\\\u00ff',
  ...['\r\n', '\r\n\r\n'],
  ...[
    'Content-Length: 5\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Expect: 100-continue\r\n',
    'HTTP/1.1',
    'POST ',
  ],
  ...[
    '0\r\n\r\n',
    '-1',
    '4294967296',
    '1e999',
    '../',
    '%00',
    '%2f',
    '\u00ef\u00bb\u00bf',
    'sha256=',
    'Bearer ',
  ],
  ...[
    '\r\nX-SVC-Idempotency-Key: a',
    '\r\nContent-Encoding: gzip',
    '\r\nConnection: close',
    '\r\nHost: localhost',
  ],
].map((text) => Buffer.from(text, 'latin1'));

type Operation = (bytes: Buffer, random: SeededRandom, other: Buffer) => Buffer;

const join = (...parts: Buffer[]) => Buffer.concat(parts);

/** Prefers the head: most parser bugs are there, not in a long body. */
const place = (bytes: Buffer, random: SeededRandom) =>
  random.below(random.chance(0.8) ? Math.min(bytes.length, 700) + 1 : bytes.length + 1);

const oneByte =
  (change: (byte: number, random: SeededRandom) => number): Operation =>
  (bytes, random) => {
    const changed = Buffer.from(bytes);
    const at = Math.min(place(bytes, random), bytes.length - 1);
    if (at >= 0) changed[at] = change(changed[at] as number, random);
    return changed;
  };

const OPERATIONS: Readonly<Record<string, Operation>> = {
  flip: oneByte((byte, random) => byte ^ (1 << random.below(8))),
  overwrite: oneByte((_byte, random) => random.below(256)),
  /** Writes printable characters, so the request gets further. */
  tweak: oneByte((byte, random) => (byte >= 0x20 ? random.between(0x20, 0x7e) : byte)),
  insert(bytes, random) {
    const at = place(bytes, random);
    const what = random.chance(0.7) ? random.pick(TOKENS) : random.bytes(random.between(1, 12));
    return join(bytes.subarray(0, at), what, bytes.subarray(at));
  },
  delete(bytes, random) {
    const at = place(bytes, random);
    return join(bytes.subarray(0, at), bytes.subarray(at + random.between(1, random.pick([1, 4, 40]))));
  },
  duplicate(bytes, random) {
    const at = place(bytes, random);
    const part = bytes.subarray(at, at + random.between(1, 80));
    return join(
      bytes.subarray(0, at),
      ...Array.from({ length: random.between(2, 6) }, () => part),
      bytes.subarray(at),
    );
  },
  splice(bytes, random, other) {
    return join(bytes.subarray(0, place(bytes, random)), other.subarray(place(other, random)));
  },
  truncate(bytes, random) {
    return bytes.subarray(0, place(bytes, random));
  },
  swap(bytes, random) {
    const [first = 0, second = 0, third = 0] = [1, 2, 3]
      .map(() => place(bytes, random))
      .sort((a, b) => a - b);
    return join(
      bytes.subarray(0, first),
      bytes.subarray(second, third),
      bytes.subarray(first, second),
      bytes.subarray(third),
    );
  },
};

/** Small changes are more frequent: after large ones, few requests reach the functions. */
const WEIGHTED_OPERATIONS = Object.entries(OPERATIONS).flatMap((entry) =>
  ['splice', 'truncate', 'swap'].includes(entry[0]) ? [entry] : [entry, entry, entry],
);

/** The bytes of a request, mutated without regard to their meaning. */
export async function byteLevelPlan(
  random: SeededRandom,
  world: World,
  corpus: readonly Buffer[],
  nowSeconds: number,
): Promise<Plan> {
  const whole = async (): Promise<Buffer> => {
    const filled = await fill(random.pick(corpus), random, world, nowSeconds);
    // One request of megabytes takes as long as a thousand others.
    const made = random.chance(filled.length > 200_000 ? 0.95 : 0.5);
    return made ? toBytes(validDraft(random, world, nowSeconds), random) : filled;
  };
  const other = await whole();
  const { bytes, kinds } = mutateBytes(await whole(), other, random);
  return { mutator: 'byte-level', kinds, delivery: { bytes }, copies: 1 };
}

export function mutateBytes(whole: Buffer, other: Buffer, random: SeededRandom) {
  let bytes = whole;
  const kinds = new Set<string>();
  for (let count = random.pick([1, 1, 1, 1, 2, 3, 6]); count > 0; count -= 1) {
    const [kind, operation] = random.pick(WEIGHTED_OPERATIONS);
    kinds.add(kind);
    bytes = operation(bytes, random, other);
  }
  return { bytes, kinds: [...kinds] };
}
