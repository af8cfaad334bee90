import { globPattern, matchesArn } from '../glob.ts';
import { type ConditionBlock, type ConditionContext, conditionHolds } from './conditions.ts';

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
  /** The ARN that the call is about, or `*` for an action that takes no resource. */
  readonly resource: string;
  /** Every condition key that statements may ask for. `undefined` says that the request does not have it. */
  readonly context?: ConditionContext;
}

export interface Decision {
  readonly allowed: boolean;
  /** The statement that allowed or denied the call. None if no statement matches: such a call is denied too. */
  readonly statement?: Statement;
}

/**
 * Decides as IAM does within one account: a matching Deny wins, then any matching Allow. What this evaluator does not
 * know (an operator, a condition key, a policy variable) throws, since guessing could hide a missing permission.
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
