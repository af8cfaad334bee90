import { type Placeholders, Tokens } from './condition-expression.ts';
import { type AttributeValue, type Item, invalid, numberOf, Unsupported } from './wire-format.ts';

type Operand = (item: Item, placeholders: Placeholders) => AttributeValue;

interface Action {
  readonly name: string;
  /** The attribute's new value, computed from the old item; undefined removes it. */
  readonly value: (item: Item, placeholders: Placeholders) => AttributeValue | undefined;
}

export interface Update {
  readonly placeholders: readonly string[];
  /** The attributes that it sets or removes; rejected if one occurs twice. */
  touches(placeholders: Placeholders): string[];
  apply(item: Item, placeholders: Placeholders): Item;
}

const parsed = new Map<string, Update>();

export function parseUpdate(expression: string): Update {
  const known = parsed.get(expression);
  if (known) return known;
  const tokens = new Tokens(expression);
  const actions: Action[] = [];
  while (tokens.peek() !== undefined) {
    if (tokens.take('SET')) actions.push(...list(tokens, assignment));
    else if (tokens.take('REMOVE')) actions.push(...list(tokens, removal));
    else if (tokens.take('ADD')) actions.push(...list(tokens, addition));
    else throw new Unsupported(`the clause ${tokens.peek()}`);
  }
  if (actions.length === 0) throw invalid('The update expression is empty');
  const update = { placeholders: tokens.placeholders(), ...effectOf(actions) };
  parsed.set(expression, update);
  return update;
}

function effectOf(actions: readonly Action[]): Pick<Update, 'touches' | 'apply'> {
  return {
    touches(placeholders) {
      const touched = actions.map(({ name }) => placeholders.name(name));
      if (new Set(touched).size < touched.length) throw invalid('Two document paths overlap');
      return touched;
    },
    apply(item, placeholders) {
      const made: Record<string, AttributeValue> = { ...item };
      for (const { name, value } of actions) {
        const next = value(item, placeholders);
        if (next === undefined) delete made[placeholders.name(name)];
        else made[placeholders.name(name)] = next;
      }
      return made;
    },
  };
}

function list(tokens: Tokens, action: (tokens: Tokens) => Action): Action[] {
  const actions = [action(tokens)];
  while (tokens.take(',')) actions.push(action(tokens));
  return actions;
}

function assignment(tokens: Tokens): Action {
  const name = tokens.next();
  tokens.expect('=');
  const value = operand(tokens);
  if (tokens.peek() === '+' || tokens.peek() === '-') throw new Unsupported('arithmetic in SET');
  return { name, value };
}

function removal(tokens: Tokens): Action {
  return { name: tokens.next(), value: () => undefined };
}

function addition(tokens: Tokens): Action {
  const name = tokens.next();
  const by = operand(tokens);
  return {
    name,
    value(item, placeholders) {
      const increment = by(item, placeholders);
      const before = item[placeholders.name(name)] ?? { N: '0' };
      if (before.N === undefined || increment.N === undefined) {
        throw invalid('An operand in the update expression has an incorrect data type');
      }
      return { N: String(numberOf(before) + numberOf(increment)) };
    },
  };
}

function operand(tokens: Tokens): Operand {
  const token = tokens.next();
  if (token.startsWith(':')) return (_, placeholders) => placeholders.value(token);
  if (token === 'if_not_exists') {
    tokens.expect('(');
    const name = tokens.next();
    tokens.expect(',');
    const otherwise = operand(tokens);
    tokens.expect(')');
    return (item, placeholders) => item[placeholders.name(name)] ?? otherwise(item, placeholders);
  }
  if (tokens.peek() === '(') throw new Unsupported(`the function ${token}`);
  return (item, placeholders) => {
    const value = item[placeholders.name(token)];
    if (!value)
      throw invalid('The provided expression refers to an attribute that does not exist in the item');
    return value;
  };
}
