import { describe, expect, test } from '@jest/globals';
import {
  type Call,
  type ConditionBlock,
  type ConditionContext,
  evaluate,
  type Statement,
} from '#local/iam/evaluate.ts';

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/Leads';
const allow = (rest: Partial<Statement> = {}): Statement => ({
  Effect: 'Allow',
  Action: 'dynamodb:PutItem',
  Resource: TABLE,
  ...rest,
});
const call: Call = { action: 'dynamodb:PutItem', resource: TABLE };

describe('actions and resources', () => {
  test('denies what no statement allows', () => {
    expect(evaluate([], call)).toEqual({ allowed: false });
    expect(evaluate([allow({ Action: 'dynamodb:GetItem' })], call)).toEqual({ allowed: false });
    expect(evaluate([allow({ Resource: `${TABLE}2` })], call)).toEqual({ allowed: false });
  });

  test('says which statement allowed a call', () => {
    const statements = [allow({ Action: 'dynamodb:GetItem' }), allow({ Sid: 'Write' })];
    expect(evaluate(statements, call)).toEqual({ allowed: true, statement: statements[1] });
  });

  test('lets a Deny win, in any order', () => {
    const deny = allow({ Effect: 'Deny', Action: 'dynamodb:*', Resource: '*' });
    for (const statements of [
      [deny, allow()],
      [allow(), deny],
    ]) {
      expect(evaluate(statements, call)).toEqual({ allowed: false, statement: deny });
    }
  });

  test.each<[string, Partial<Statement>, boolean]>([
    ['an action in other case', { Action: 'DynamoDB:putitem' }, true],
    ['one of several actions', { Action: ['dynamodb:GetItem', 'dynamodb:P?tItem'] }, true],
    ['every action', { Action: '*' }, true],
    ['a resource in other case', { Resource: TABLE.toLowerCase() }, false],
    ['NotAction without it', { Action: undefined, NotAction: 'dynamodb:Delete*' }, true],
    ['NotAction with it', { Action: undefined, NotAction: ['dynamodb:Put*'] }, false],
    ['NotResource without it', { Resource: undefined, NotResource: `${TABLE}/index/*` }, true],
    ['NotResource with it', { Resource: undefined, NotResource: `${TABLE}*` }, false],
    ['a wildcard in the region', { Resource: 'arn:aws:dynamodb:*:000000000000:table/Leads' }, true],
    ['the indexes of a table', { Resource: `${TABLE}/index/*` }, false],
  ])('%s', (_, statement, allowed) => {
    expect(evaluate([allow(statement)], call).allowed).toBe(allowed);
  });

  test('takes only `*` for an action without a resource', () => {
    const listing = { action: 'dynamodb:ListStreams', resource: '*' };
    expect(evaluate([allow({ Action: '*' })], listing).allowed).toBe(false);
    expect(evaluate([allow({ Action: '*', Resource: '*' })], listing).allowed).toBe(true);
  });

  test.each<[string, Partial<Statement>]>([
    ['effect', { Effect: 'Permit' }],
    ['needs either Action or NotAction', { Action: undefined }],
    ['needs either Resource or NotResource', { NotResource: '*' }],
    ['not an ARN', { Resource: 'arn:aws:*:table/Leads' }],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a policy variable, not one of JavaScript.
    ['policy variables', { Resource: 'arn:aws:s3:::bucket/${aws:username}' }],
  ])('throws for a statement it cannot evaluate: %s', (message, statement) => {
    expect(() => evaluate([allow(statement)], call)).toThrow(message);
  });
});

describe('conditions', () => {
  const allowed = (Condition: ConditionBlock, context: ConditionContext) =>
    evaluate([allow({ Condition })], { ...call, context }).allowed;
  const ROLE = 'arn:aws:iam::000000000000:role/Reader';

  test.each<[operator: string, value: string | undefined, expected: string | string[] | number, boolean]>([
    ['StringEquals', 'a', ['b', 'a'], true],
    ['StringEquals', 'A', 'a', false],
    ['StringEquals', undefined, 'a', false],
    ['StringEqualsIfExists', undefined, 'a', true],
    ['StringEqualsIfExists', 'b', 'a', false],
    ['StringEqualsIgnoreCase', 'A', 'a', true],
    ['StringNotEquals', 'a', ['b', 'a'], false],
    ['StringNotEquals', 'c', ['b', 'a'], true],
    ['StringNotEquals', undefined, 'a', true],
    ['StringLike', 'w#1#f', 'w#1#*', true],
    ['StringLike', 'w#12', 'w#?', false],
    ['StringNotLike', 'w#1', 'w#*', false],
    ['ArnLike', ROLE, 'arn:aws:iam::*:role/R*', true],
    ['ArnEquals', ROLE, 'arn:aws:iam::*:role/R*', true],
    ['ArnNotLike', ROLE, 'arn:aws:iam::*:role/R*', false],
    ['Bool', 'true', 'true', true],
    ['Bool', 'true', 'false', false],
    ['NumericLessThan', '1.3', 1.2, false],
    ['NumericLessThan', '1.1', 1.2, true],
    ['NumericGreaterThanEquals', '10', '9', true],
    ['NumericNotEquals', '10', '9', true],
    ['Null', undefined, 'true', true],
    ['Null', 'a', 'true', false],
    ['Null', 'a', 'false', true],
  ])('%s of %p with %p: %p', (operator, value, expected, result) => {
    expect(allowed({ [operator]: { 'aws:key': expected } }, { 'aws:key': value })).toBe(result);
  });

  test.each<[operator: string, values: string[] | undefined, boolean]>([
    ['ForAllValues:StringEquals', ['w1', 'w2'], true],
    ['ForAllValues:StringEquals', ['w1', 'w3'], false],
    ['ForAllValues:StringEquals', undefined, true],
    ['ForAllValues:StringEquals', [], true],
    ['ForAllValues:StringNotEquals', ['w3', 'w4'], true],
    ['ForAllValues:StringNotEquals', ['w3', 'w1'], false],
    ['ForAnyValue:StringEquals', ['w3', 'w1'], true],
    ['ForAnyValue:StringEquals', ['w3'], false],
    ['ForAnyValue:StringEquals', undefined, false],
    ['ForAnyValue:StringEqualsIfExists', undefined, true],
    ['ForAnyValue:StringNotLike', ['w1', 'w3'], true],
  ])('%s of %p', (operator, values, result) => {
    const condition = { [operator]: { 'dynamodb:LeadingKeys': ['w1', 'w2'] } };
    expect(allowed(condition, { 'dynamodb:LeadingKeys': values })).toBe(result);
  });

  test('must all be true', () => {
    const condition = { StringEquals: { one: '1', two: '2' }, Bool: { three: 'true' } };
    expect(allowed(condition, { one: '1', two: '2', three: 'true' })).toBe(true);
    expect(allowed(condition, { one: '1', two: '2', three: 'false' })).toBe(false);
    expect(allowed(condition, { one: '1', two: '3', three: 'true' })).toBe(false);
  });

  test('ignores the case of keys', () => {
    expect(allowed({ StringEquals: { 'AWS:SourceArn': 'x' } }, { 'aws:SourceArn': 'x' })).toBe(true);
  });

  test.each<[string, ConditionBlock]>([
    ['the condition key aws:other is not known', { StringEquals: { 'aws:other': 'x' } }],
    ['the condition operator IpAddress is not supported', { IpAddress: { 'aws:key': '10.0.0.0/8' } }],
    ['the condition operator ForNone:StringEquals', { 'ForNone:StringEquals': { 'aws:key': 'x' } }],
    ['needs a set operator', { StringEquals: { many: 'x' } }],
    ['not a number', { NumericEquals: { 'aws:key': 1 } }],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a policy variable, not one of JavaScript.
    ['policy variables', { StringLike: { 'aws:key': '${aws:username}' } }],
  ])('throws rather than guess: %s', (message, condition) => {
    const context = { 'aws:key': 'x', many: ['x', 'y'], no: 'x' };
    expect(() => allowed({ StringEquals: { no: 'y' }, ...condition }, context)).toThrow(message);
  });

  test('are not evaluated for calls that the statement does not cover', () => {
    const statement = allow({ Action: 'dynamodb:GetItem', Condition: { IpAddress: { 'aws:ip': '::1' } } });
    expect(evaluate([statement, allow()], call).allowed).toBe(true);
  });
});
