import { globPattern, matchesArn } from '../glob.ts';

type Scalar = string | number | boolean;

/** The `Condition` of a statement: operator, key, values. */
export type ConditionBlock = Readonly<Record<string, Readonly<Record<string, Scalar | readonly Scalar[]>>>>;

/** The condition keys of a request. A missing key is present as `undefined`. */
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

/** Negated operators and the operators they negate. */
const NEGATED: Readonly<Record<string, string>> = {
  StringNotEquals: 'StringEquals',
  StringNotEqualsIgnoreCase: 'StringEqualsIgnoreCase',
  StringNotLike: 'StringLike',
  ArnNotEquals: 'ArnEquals',
  ArnNotLike: 'ArnLike',
  NumericNotEquals: 'NumericEquals',
};

/** Whether all operators of a condition hold for all their keys. */
export function conditionHolds(block: ConditionBlock | undefined, context: ConditionContext): boolean {
  // Every part is evaluated, even after a false one, so that unsupported parts always throw.
  return Object.entries(block ?? {})
    .flatMap(([operator, keys]) =>
      Object.entries(keys).map(([key, expected]) =>
        holds(operator, requestValues(key, context), [expected].flat().map(String), key),
      ),
    )
    .every(Boolean);
}

/** Empty if the request lacks the key. Keys are case-insensitive. */
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

type OneOrMany<Value> = Value | readonly Value[];

/** A statement of a policy whose intrinsic functions have been resolved. */
export interface Statement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Action?: OneOrMany<string>;
  readonly NotAction?: OneOrMany<string>;
  readonly Resource?: OneOrMany<string>;
  readonly NotResource?: OneOrMany<string>;
  readonly Condition?: ConditionBlock;
}

/** One call to AWS. */
export interface Call {
  /** For example `dynamodb:PutItem`. */
  readonly action: string;
  /** The resource's ARN, or `*` for an action without resources. */
  readonly resource: string;
  /** Every condition key that statements may use. `undefined` means that the request lacks it. */
  readonly context?: ConditionContext;
}

export interface Decision {
  readonly allowed: boolean;
  /** The statement that decided. Undefined if none matches: the call is denied. */
  readonly statement?: Statement;
}

/**
 * Decides as IAM does within one account: a matching Deny wins, then any matching Allow. Unsupported operators,
 * condition keys and policy variables throw, since guessing could hide a missing permission.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export function evaluate(statements: readonly Statement[], call: Call): Decision {
  const matching = statements.filter((statement) => matches(statement, call));
  const denial = matching.find(({ Effect }) => Effect === 'Deny');
  const statement = denial ?? matching[0];
  return statement === undefined ? { allowed: false } : { allowed: denial === undefined, statement };
}

function matches(statement: Statement, { action, resource, context = {} }: Call): boolean {
  if (statement.Effect !== 'Allow' && statement.Effect !== 'Deny') {
    throw new Error(`a statement has the effect ${JSON.stringify(statement.Effect)}`);
  }
  return (
    matchesElement(statement, 'Action', (pattern) => matchesAction(pattern, action)) &&
    matchesElement(statement, 'Resource', (pattern) => matchesResource(pattern, resource)) &&
    conditionHolds(statement.Condition, context)
  );
}

function matchesElement(
  statement: Statement,
  element: 'Action' | 'Resource',
  isMatch: (pattern: string) => boolean,
): boolean {
  const { [element]: included, [`Not${element}` as const]: excluded } = statement;
  if ((included === undefined) === (excluded === undefined)) {
    throw new Error(`a statement needs either ${element} or Not${element}: ${JSON.stringify(statement)}`);
  }
  return included === undefined ? !list(excluded).some(isMatch) : list(included).some(isMatch);
}

function matchesAction(pattern: string, action: string): boolean {
  return globPattern(pattern.toLowerCase()).test(action.toLowerCase());
}

function matchesResource(pattern: string, resource: string): boolean {
  if (pattern.includes('${')) throw new Error(`policy variables are not supported: ${pattern}`);
  if (pattern === '*') return true;
  return resource !== '*' && matchesArn(pattern, resource);
}

function list(value: OneOrMany<string> | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : (value ?? []);
}
