import type { SeededRandom } from '../random.ts';
import { type Mutation, toBytes } from './draft.ts';
import { BODY } from './mutations/body.ts';
import { IDEMPOTENCY } from './mutations/credentials.ts';
import { CONNECTION, FRAMING } from './mutations/framing.ts';
import { HEADERS } from './mutations/headers.ts';
import { METHOD } from './mutations/request-line.ts';
import { SOURCE_DELIVERY, SOURCE_PATH, SOURCE_TOKEN } from './mutations/source.ts';
import { SOURCE_PAYLOAD } from './mutations/source-payload.ts';
import { deliveryOf, mutateBytes, type Plan } from './plans.ts';
import { validSourceDraft } from './source-draft.ts';
import type { World } from './world.ts';

/** Made for Surface 1c: only these declare an effect that holds here. */
const OWN: readonly (readonly Mutation[])[] = [SOURCE_DELIVERY, SOURCE_PAYLOAD, SOURCE_TOKEN, SOURCE_PATH];
const SHARED: readonly (readonly Mutation[])[] = [METHOD, HEADERS, IDEMPOTENCY, BODY, FRAMING, CONNECTION];

const BYTE_LEVEL = 0.25;
const UNCHANGED = 0.1;
const OWN_SHARE = 0.65;
const ALONE = 0.7;

/** A request to Surface 1c, which has its own address, with a few changes. */
export function sourcePlan(random: SeededRandom, world: World, nowSeconds: number): Plan {
  const draft = validSourceDraft(random, world, nowSeconds);
  if (random.chance(BYTE_LEVEL)) {
    const other = toBytes(validSourceDraft(random, world, nowSeconds), random);
    const { bytes, kinds } = mutateBytes(toBytes(draft, random), other, random);
    return { mutator: '1c byte-level', kinds, delivery: { bytes, api: 'sources' }, copies: 1 };
  }
  const draw = (): Mutation => random.pick(random.pick(random.chance(OWN_SHARE) ? OWN : SHARED));
  const count = random.chance(UNCHANGED) ? 0 : random.chance(ALONE) ? 1 : random.between(2, 3);
  const chosen = Array.from({ length: count }, draw);
  for (const { apply } of chosen) apply(draft, random, world);
  // Providers repeat deliveries, also while the first is under way.
  if (count === 0 && draft.source) draft.copies = random.between(1, 3);
  const isOwn = OWN.some((group) => chosen[0] && group.includes(chosen[0]));
  const alone = chosen.length === 1 && isOwn ? chosen[0]?.effect : undefined;
  return {
    mutator: '1c structured',
    kinds: count === 0 ? ['unchanged'] : [...new Set(chosen.map(({ kind }) => kind))],
    delivery: { ...deliveryOf(draft, random), api: 'sources' },
    copies: draft.copies,
    effect: count === 0 ? 'harmless' : alone,
  };
}
