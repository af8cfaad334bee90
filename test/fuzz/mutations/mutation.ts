import type { Draft } from '../draft.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';

export type MutationKind =
  | 'method'
  | 'path'
  | 'headers'
  | 'credentials'
  | 'idempotency'
  | 'body'
  | 'framing'
  | 'connection';

/** One thing that is changed in a valid submission. */
export interface Mutation {
  readonly kind: MutationKind;
  /** What it alone must do: nothing, keep the submission from being accepted, or what the model says. */
  readonly effect: 'harmless' | 'fatal' | 'open';
  readonly surface?: Draft['surface'];
  readonly apply: Apply;
}

export type Apply = (draft: Draft, random: Random, world: World) => void;

export function mutations(
  kind: MutationKind,
  effect: Mutation['effect'],
  applies: readonly Apply[],
  surface?: Draft['surface'],
): Mutation[] {
  return applies.map((apply) => ({ kind, effect, apply, ...(surface && { surface }) }));
}

/** The bytes of UTF-8, as text of which each character is one byte. */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1');
