import type { Delivery } from './exchange.ts';
import type { Mutation } from './mutations/mutation.ts';

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
