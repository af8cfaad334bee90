import {
  type AttributeValue,
  type Item,
  invalid,
  isEqual,
  order,
  typeOf,
  Unsupported,
} from './wire-format.ts';

const TOKEN = /\s*(?:([A-Za-z_][A-Za-z0-9_]*|[#:][A-Za-z0-9_]+)|(<>|<=|>=|[=<>(),+-])|(\S))/y;

/** Reads the tokens of an expression. Doesn't support document paths, which no store uses. */
export class Tokens {
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(expression: string) {
    TOKEN.lastIndex = 0;
    const text = expression.trimEnd();
    while (TOKEN.lastIndex < text.length) {
      const match = TOKEN.exec(text);
      const token = match?.[1] ?? match?.[2];
      if (token === undefined) throw invalid(`Syntax error in "${expression}"`);
      this.#tokens.push(token);
    }
  }

  peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw invalid('The expression ends too early');
    this.#at += 1;
    return token;
  }

  /** Takes the next token if it is this one, ignoring case. */
  take(wanted: string): boolean {
    if (this.peek()?.toUpperCase() !== wanted.toUpperCase()) return false;
    this.#at += 1;
    return true;
  }

  expect(wanted: string): void {
    if (!this.take(wanted)) throw invalid(`Expected ${wanted} before ${this.peek() ?? 'the end'}`);
  }

  requireEnd(): void {
    if (this.peek() !== undefined) throw invalid(`Unexpected ${this.peek()}`);
  }

  /** All `#names` and `:values`, whether or not they are evaluated. */
  placeholders(): string[] {
    return this.#tokens.filter((token) => token.startsWith('#') || token.startsWith(':'));
  }
}

type Evaluate = (item: Item, placeholders: Placeholders) => boolean;
type Operand = (item: Item, placeholders: Placeholders) => AttributeValue | undefined;

export interface Condition {
  readonly holds: Evaluate;
  readonly placeholders: readonly string[];
}

const parsed = new Map<string, Condition>();

/** Conditions, filters and key conditions share one language. */
export function parseCondition(expression: string): Condition {
  const known = parsed.get(expression);
  if (known) return known;
  const tokens = new Tokens(expression);
  const condition = { holds: anyOf(tokens), placeholders: tokens.placeholders() };
  tokens.requireEnd();
  parsed.set(expression, condition);
  return condition;
}

function anyOf(tokens: Tokens): Evaluate {
  const terms = [allOf(tokens)];
  while (tokens.take('OR')) terms.push(allOf(tokens));
  return (item, placeholders) => terms.some((holds) => holds(item, placeholders));
}

function allOf(tokens: Tokens): Evaluate {
  const terms = [negation(tokens)];
  while (tokens.take('AND')) terms.push(negation(tokens));
  return (item, placeholders) => terms.every((holds) => holds(item, placeholders));
}

function negation(tokens: Tokens): Evaluate {
  if (!tokens.take('NOT')) return term(tokens);
  const holds = negation(tokens);
  return (item, placeholders) => !holds(item, placeholders);
}

function term(tokens: Tokens): Evaluate {
  if (tokens.take('(')) {
    const inner = anyOf(tokens);
    tokens.expect(')');
    return inner;
  }
  const first = tokens.next();
  return tokens.take('(') ? call(first, tokens) : comparison(operand(first), tokens);
}

function call(name: string, tokens: Tokens): Evaluate {
  const subject = operand(tokens.next());
  if (name === 'attribute_exists' || name === 'attribute_not_exists') {
    tokens.expect(')');
    const wanted = name === 'attribute_exists';
    return (item, placeholders) => (subject(item, placeholders) !== undefined) === wanted;
  }
  if (name === 'begins_with') {
    tokens.expect(',');
    const prefix = operand(tokens.next());
    tokens.expect(')');
    return (item, placeholders) => {
      const value = subject(item, placeholders);
      const start = prefix(item, placeholders);
      return value?.S !== undefined && String(value.S).startsWith(String(start?.S));
    };
  }
  throw new Unsupported(`the function ${name}`);
}

function comparison(left: Operand, tokens: Tokens): Evaluate {
  if (tokens.take('BETWEEN')) {
    const low = operand(tokens.next());
    tokens.expect('AND');
    const high = operand(tokens.next());
    const above = ordered(left, low, (sign) => sign >= 0);
    const below = ordered(left, high, (sign) => sign <= 0);
    return (item, placeholders) => above(item, placeholders) && below(item, placeholders);
  }
  const sign = tokens.next();
  const right = operand(tokens.next());
  if (sign === '=') return (item, placeholders) => same(left(item, placeholders), right(item, placeholders));
  if (sign === '<>')
    return (item, placeholders) => !same(left(item, placeholders), right(item, placeholders));
  if (sign === '<') return ordered(left, right, (difference) => difference < 0);
  if (sign === '<=') return ordered(left, right, (difference) => difference <= 0);
  if (sign === '>') return ordered(left, right, (difference) => difference > 0);
  if (sign === '>=') return ordered(left, right, (difference) => difference >= 0);
  throw invalid(`Syntax error near ${sign}`);
}

/** A missing attribute equals nothing, and is neither below nor above anything. */
function same(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  return a !== undefined && b !== undefined && isEqual(a, b);
}

function ordered(left: Operand, right: Operand, fits: (difference: number) => boolean): Evaluate {
  return (item, placeholders) => {
    const [a, b] = [left(item, placeholders), right(item, placeholders)];
    if (a === undefined || b === undefined || typeOf(a) !== typeOf(b)) return false;
    const difference = order(a, b);
    return difference !== undefined && fits(difference);
  };
}

function operand(token: string): Operand {
  if (token.startsWith(':')) return (_, placeholders) => placeholders.value(token);
  if (!/^[#A-Za-z_]/.test(token)) throw invalid(`Syntax error near ${token}`);
  return (item, placeholders) => item[placeholders.name(token)];
}

export interface ExpressionInput {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, AttributeValue>>;
}

/** Resolves the `#names` and `:values` of one request. */
export class Placeholders {
  readonly #names: Readonly<Record<string, string>>;
  readonly #values: Readonly<Record<string, AttributeValue>>;

  constructor({ ExpressionAttributeNames = {}, ExpressionAttributeValues = {} }: ExpressionInput) {
    this.#names = ExpressionAttributeNames;
    this.#values = ExpressionAttributeValues;
  }

  name(token: string): string {
    return token.startsWith('#') ? (this.#names[token] as string) : token;
  }

  value(token: string): AttributeValue {
    return this.#values[token] as AttributeValue;
  }

  /** Like DynamoDB, rejects placeholders that are used but not given, or given but not used. */
  requireUse(used: readonly string[]): void {
    const given = [...Object.keys(this.#names), ...Object.keys(this.#values)];
    const missing = used.find((token) => !given.includes(token));
    if (missing) throw invalid(`${missing} is not defined`);
    const idle = given.find((token) => !used.includes(token));
    if (idle) throw invalid(`${idle} is not used`);
  }
}
