import { StartupError } from '../lifecycle.ts';

/** The patterns of an event source mapping, as the template has them. */
export interface FilterCriteria {
  readonly Filters?: readonly { readonly Pattern?: string }[];
}

/**
 * What decides whether a record reaches the function: one of the patterns matches it, or there is none.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export function compileFilter(criteria: FilterCriteria | undefined, mapping: string): Matches {
  const patterns = (criteria?.Filters ?? []).map(({ Pattern }) => {
    try {
      return compilePattern(JSON.parse(Pattern ?? ''), []);
    } catch (error) {
      throw new StartupError(`The filter of ${mapping} cannot be used: ${(error as Error).message}.`);
    }
  });
  return patterns.length === 0 ? () => true : (record) => patterns.some((matches) => matches(record));
}

/** An object asks for all of its keys; a list, for one of its values or operators. */
function compilePattern(pattern: unknown, path: readonly string[]): Matches {
  if (Array.isArray(pattern)) return compileLeaf(pattern, path);
  if (!isObject(pattern)) throw new Error(`${where(path)} must be an object or a list`);
  const parts = Object.entries(pattern).map(([key, inner]): Matches => {
    if (key === '$or') return compileOr(inner, path);
    const matches = compilePattern(inner, [...path, key]);
    return (value) => matches(isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined);
  });
  if (parts.length === 0) throw new Error(`${where(path)} is empty`);
  const matchesObject: Matches = (value) => parts.every((matches) => matches(value));
  // Of a list of objects, one has to match.
  return (value) => (Array.isArray(value) ? value.some(matchesObject) : matchesObject(value));
}

function compileOr(alternatives: unknown, path: readonly string[]): Matches {
  if (!Array.isArray(alternatives) || alternatives.length < 2) {
    throw new Error(`$or in ${where(path)} must be a list of two patterns or more`);
  }
  const patterns = alternatives.map((alternative) => compilePattern(alternative, path));
  return (value) => patterns.some((matches) => matches(value));
}

function compileLeaf(choices: readonly unknown[], path: readonly string[]): Matches {
  if (choices.length === 0) throw new Error(`${where(path)} is an empty list`);
  const tests = choices.map((choice): Matches => {
    if (Array.isArray(choice)) throw new Error(`${where(path)} has a list in a list`);
    if (isObject(choice)) return compileOperator(choice, where(path));
    return (value) => value === choice;
  });
  const matchesLeaf: Matches = (value) => tests.some((matches) => matches(value));
  return (value) =>
    Array.isArray(value) && value.length > 0 ? value.some(matchesLeaf) : matchesLeaf(leafOf(value));
}

/** Patterns look at leaves: an object where a value was expected is no value at all. */
function leafOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? undefined : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function where(path: readonly string[]): string {
  return path.length === 0 ? 'the pattern' : path.join('.');
}

/** Whether a value of a record is one that a pattern asks for; undefined stands for a key that is not there. */
export type Matches = (value: unknown) => boolean;

/** The test that an operator such as `{"prefix": "ab"}` makes. Throws for one that Lambda's filters do not have. */
export function compileOperator(rule: Readonly<Record<string, unknown>>, where: string): Matches {
  const [[name, argument] = [], second] = Object.entries(rule);
  if (name === undefined || second !== undefined)
    throw new Error(`${where} has a rule that is not one operator`);
  const compile = OPERATORS[name];
  if (compile === undefined) throw new Error(`${where} uses the operator ${name}, which is not served here`);
  const matches = compile(argument);
  if (matches === undefined) throw new Error(`${where} gives the operator ${name} what it cannot take`);
  return matches;
}

/** Undefined: the argument is none for this operator. */
type CompileOperator = (argument: unknown) => Matches | undefined;

const OPERATORS: Readonly<Record<string, CompileOperator>> = {
  exists: (wanted) => (typeof wanted === 'boolean' ? (value) => (value !== undefined) === wanted : undefined),
  prefix: textOperator((value, start) => value.startsWith(start)),
  suffix: textOperator((value, end) => value.endsWith(end)),
  'equals-ignore-case': textOperator((value, other) => value.toLowerCase() === other.toLowerCase()),
  'anything-but': (excluded) => {
    const values = Array.isArray(excluded) ? excluded : [excluded];
    if (values.length === 0 || values.some((value) => !['string', 'number'].includes(typeof value)))
      return undefined;
    return (value) => value !== undefined && !values.includes(value);
  },
  numeric: (comparisons) => (Array.isArray(comparisons) ? compileNumeric(comparisons) : undefined),
};

function textOperator(compare: (value: string, operand: string) => boolean): CompileOperator {
  return (operand) =>
    typeof operand === 'string' ? (value) => typeof value === 'string' && compare(value, operand) : undefined;
}

const COMPARISONS: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '=': (value, bound) => value === bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};

/**
 * `[">", 0, "<=", 5]`: all of them. Of numbers only: DynamoDB's come as text (`{"N":"5"}`), which on Lambda no such
 * operator matches either.
 */
function compileNumeric(comparisons: readonly unknown[]): Matches | undefined {
  if (comparisons.length !== 2 && comparisons.length !== 4) return undefined;
  const tests: ((value: number) => boolean)[] = [];
  for (let index = 0; index < comparisons.length; index += 2) {
    const compare = COMPARISONS[String(comparisons[index])];
    const bound = comparisons[index + 1];
    if (compare === undefined || typeof bound !== 'number') return undefined;
    tests.push((value) => compare(value, bound));
  }
  return (value) => typeof value === 'number' && tests.every((test) => test(value));
}
