import { LIMITS } from '../../../lambdas/core/limits.ts';
import type { Surface } from '../../../lambdas/core/surfaces.ts';
import { SECRET, SLUGS, TOKENS } from './records.ts';
import { type GatewayEvent, serverRequest, TIMESTAMP, type Variation, webhookRequest } from './requests.ts';

/** Two requests that nobody without a credential may be able to tell apart. */
export interface Pair {
  readonly name: string;
  readonly surface: Surface;
  readonly left: GatewayEvent;
  readonly right: GatewayEvent;
  /** Sent before each sample, and not timed: so that the function has what is known in memory. */
  readonly before?: GatewayEvent;
}

const OVERSIZED: Variation = { body: Buffer.alloc(LIMITS.bodyBytes + 1, 32) };
const COMPRESSED: Variation = { headers: { 'Content-Encoding': 'gzip' } };

/** An unknown token against each token that is known and refused. */
function tokenPairs(): Pair[] {
  const { unknown, good, ...refused } = TOKENS;
  const against = (name: string, known: string, variation?: Variation): Pair => ({
    name: `unknown token, ${name}`,
    surface: '1a',
    left: serverRequest(unknown, variation),
    right: serverRequest(known, variation),
  });
  return [
    ...Object.entries(refused).map(([name, token]) => against(name, token)),
    against('known one; body too large', good, OVERSIZED),
    against('known one; compressed', good, COMPRESSED),
  ];
}

/** An unknown slug against each slug that is known, by a sender who knows no secret. */
function slugPairs(): Pair[] {
  const { unknown, good, ...others } = SLUGS;
  const against = (name: string, known: string, variation?: Variation): Pair => ({
    name: `unknown slug, ${name}`,
    surface: '1b',
    left: webhookRequest(unknown, variation),
    right: webhookRequest(known, variation),
  });
  const headers = (given: Readonly<Record<string, string | null>>): Variation => ({ headers: given });
  return [
    against('bad signature', good),
    {
      ...against('bad signature, known one in memory', good),
      before: webhookRequest(good, { signedWith: SECRET }),
    },
    ...Object.entries(others).map(([name, slug]) => against(name, slug)),
    against('known one; signed with nothing', good, { signedWith: '' }),
    against('known one; no signature', good, headers({ 'X-SVC-Signature': null })),
    against('known one; malformed signature', good, headers({ 'X-SVC-Signature': 'sha256=zz' })),
    against('known one; no timestamp', good, headers({ 'X-SVC-Timestamp': null })),
    against(
      'known one; old timestamp',
      good,
      headers({ 'X-SVC-Timestamp': String(Number(TIMESTAMP) - 301) }),
    ),
    against('known one; body too large', good, OVERSIZED),
    against('known one; compressed', good, COMPRESSED),
  ];
}

export const PAIRS: readonly Pair[] = [...tokenPairs(), ...slugPairs()];
