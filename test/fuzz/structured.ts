import { toBytes, validDraft } from './draft.ts';
import type { Delivery } from './exchange.ts';
import { BODY, ENORMOUS_BODY } from './mutations/body.ts';
import { CONNECTION } from './mutations/connection.ts';
import { CREDENTIALS } from './mutations/credentials.ts';
import { FRAMING } from './mutations/framing.ts';
import { HEADERS } from './mutations/headers.ts';
import { IDEMPOTENCY } from './mutations/idempotency.ts';
import { METHOD } from './mutations/method.ts';
import type { Mutation } from './mutations/mutation.ts';
import { PATH } from './mutations/path.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

const GROUPS = [METHOD, PATH, HEADERS, CREDENTIALS, IDEMPOTENCY, BODY, FRAMING, CONNECTION];
const ENORMOUS = 0.002;
const ALONE = 0.6;

/** A valid submission with one to three things changed. */
export function structuredPlan(random: Random, world: World, nowSeconds: number): Plan {
  const draft = validDraft(random, world, nowSeconds);
  const draw = (): Mutation => {
    if (random.chance(ENORMOUS)) return random.pick(ENORMOUS_BODY);
    const group = random.pick(GROUPS).filter(({ surface }) => !surface || surface === draft.surface);
    return random.pick(group);
  };
  const chosen = Array.from({ length: random.chance(ALONE) ? 1 : random.between(2, 3) }, draw);
  for (const { apply } of chosen) apply(draft, random, world);
  const bytes = toBytes(draft, random);
  const { cuts, hangUpAfter } = draft;
  return {
    mutator: 'structured',
    kinds: [...new Set(chosen.map(({ kind }) => kind))],
    delivery: {
      bytes,
      ...(cuts && { cuts }),
      ...(hangUpAfter && { hangUpAfter: hangUpAfter(bytes.length) }),
    },
    copies: draft.copies,
    effect: chosen.length === 1 ? chosen[0]?.effect : undefined,
  };
}

/** One thing to try: the same bytes on one connection, or on several at once. */
export interface Plan {
  readonly mutator: 'corpus' | 'structured' | 'byte-level';
  /** What was done to the request, for the table. */
  readonly kinds: readonly string[];
  readonly delivery: Delivery;
  readonly copies: number;
  /** What its only mutation says of itself. */
  readonly effect?: Mutation['effect'] | undefined;
}
