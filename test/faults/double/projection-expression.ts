import type { Item } from './attribute-value.ts';
import type { Placeholders } from './placeholders.ts';
import { Tokens } from './tokens.ts';

export interface Projection {
  readonly placeholders: readonly string[];
  of(item: Item, placeholders: Placeholders): Item;
}

const EVERYTHING: Projection = { placeholders: [], of: (item) => item };

export function parseProjection(expression: string | undefined): Projection {
  if (expression === undefined) return EVERYTHING;
  const tokens = new Tokens(expression);
  const names = [tokens.next()];
  while (tokens.take(',')) names.push(tokens.next());
  tokens.requireEnd();
  return {
    placeholders: tokens.placeholders(),
    of: (item, placeholders) =>
      pick(
        item,
        names.map((name) => placeholders.name(name)),
      ),
  };
}

export function pick(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}
