import { globPattern, matchesArn } from '../glob.ts';

type Scalar = string | number | boolean;

/** The `Condition` of a statement: operator, key, values. */
export type ConditionBlock = Readonly<Record<string, Readonly<Record<string, Scalar | readonly Scalar[]>>>>;

/** What a request says of itself. A key that it does not have is there, as `undefined`. */
export type ConditionContext = Readonly<Record<string, string | readonly string[] | undefined>>;

type Comparison = (value: string, expected: string) => boolean;

const equals: Comparison = (value, expected) => value === expected;
const equalsIgnoringCase: Comparison = (value, expected) => value.toLowerCase() === expected.toLowerCase();
const like: Comparison = (value, pattern) => globPattern(pattern).test(value);
const arnLike: Comparison = (value, pattern) => matchesArn(pattern, value);

function numeric(compare: (value: number, expected: number) => boolean): Comparison {
  return (value, expected) => compare(toNumber(value), toNumber(expected));
}

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  StringEquals: equals,
  StringEqualsIgnoreCase: equalsIgnoringCase,
  StringLike: like,
  ArnEquals: arnLike,
  ArnLike: arnLike,
  Bool: equalsIgnoringCase,
  NumericEquals: numeric((value, expected) => value === expected),
  NumericLessThan: numeric((value, expected) => value < expected),
  NumericLessThanEquals: numeric((value, expected) => value <= expected),
  NumericGreaterThan: numeric((value, expected) => value > expected),
  NumericGreaterThanEquals: numeric((value, expected) => value >= expected),
};

/** Negated operators, by what they negate. */
const NEGATED: Readonly<Record<string, string>> = {
  StringNotEquals: 'StringEquals',
  StringNotEqualsIgnoreCase: 'StringEqualsIgnoreCase',
  StringNotLike: 'StringLike',
  ArnNotEquals: 'ArnEquals',
  ArnNotLike: 'ArnLike',
  NumericNotEquals: 'NumericEquals',
};

/** Whether every operator of a statement's condition holds for every key it names. */
export function conditionHolds(block: ConditionBlock | undefined, context: ConditionContext): boolean {
  // Every part is worked out, even after a false one, so that what is unknown always shows.
  return Object.entries(block ?? {})
    .flatMap(([operator, keys]) =>
      Object.entries(keys).map(([key, expected]) =>
        holds(operator, requestValues(key, context), [expected].flat().map(String), key),
      ),
    )
    .every(Boolean);
}

/** No value if the request does not have the key. Keys are told apart without regard to case. */
function requestValues(key: string, context: ConditionContext): readonly string[] {
  const name = Object.keys(context).find((known) => known.toLowerCase() === key.toLowerCase());
  if (name === undefined) throw new Error(`the condition key ${key} is not known for this call`);
  const value = context[name];
  return value === undefined ? [] : [value].flat();
}

function holds(
  operator: string,
  values: readonly string[],
  expected: readonly string[],
  key: string,
): boolean {
  const variable = expected.find((text) => text.includes('${'));
  if (variable !== undefined) throw new Error(`policy variables are not supported: ${variable}`);
  if (operator === 'Null') return expected.some((text) => (text === 'true') === (values.length === 0));
  const { quantifier, name, ifExists } = parse(operator);
  const negated = NEGATED[name];
  const compare = COMPARISONS[negated ?? name];
  if (compare === undefined) throw new Error(`the condition operator ${operator} is not supported`);
  const matchesValue = (value: string) =>
    expected.some((text) => compare(value, text)) === (negated === undefined);
  if (values.length === 0 && ifExists) return true;
  switch (quantifier) {
    case 'ForAllValues':
      return values.every(matchesValue);
    case 'ForAnyValue':
      return values.some(matchesValue);
    default:
      if (values.length > 1) throw new Error(`${key} has several values: ${operator} needs a set operator`);
      // Without the key a negated operator holds.
      return values[0] === undefined ? negated !== undefined : matchesValue(values[0]);
  }
}

function parse(operator: string) {
  const [, quantifier, name = '', ifExists] =
    /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?$/.exec(operator) ?? [];
  return { quantifier, name, ifExists: ifExists !== undefined };
}

function toNumber(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || Number.isNaN(number)) throw new Error(`not a number: ${JSON.stringify(text)}`);
  return number;
}
