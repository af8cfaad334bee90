import { describe, expect, test } from '@jest/globals';
import { compileFilter } from '../../local/event-source/filter.ts';

const filter = (...patterns: unknown[]) =>
  compileFilter({ Filters: patterns.map((pattern) => ({ Pattern: JSON.stringify(pattern) })) }, 'Mapping');

const CLEAN_LEAD = {
  eventName: 'INSERT',
  dynamodb: {
    NewImage: { part: { S: 'lead' }, clean: { BOOL: true }, score: { N: '40' }, note: { NULL: true } },
  },
};

describe('a pattern', () => {
  test.each<[string, unknown, unknown, boolean]>([
    ['a value', { a: ['x'] }, { a: 'x' }, true],
    ['another value', { a: ['x'] }, { a: 'y' }, false],
    ['one of several values', { a: ['x', 'y'] }, { a: 'y' }, true],
    ['text for a number', { a: [1] }, { a: '1' }, false],
    ['a number', { a: [1] }, { a: 1 }, true],
    ['a boolean', { a: [true] }, { a: true }, true],
    ['null', { a: [null] }, { a: null }, true],
    ['null for a missing key', { a: [null] }, {}, false],
    ['the empty text', { a: [''] }, { a: '' }, true],
    ['all keys', { a: ['x'], b: ['y'] }, { a: 'x', b: 'z' }, false],
    ['a nested key', { a: { b: ['x'] } }, { a: { b: 'x' } }, true],
    ['a nested key of text', { a: { b: ['x'] } }, { a: 'x' }, false],
    ['an inherited key', { constructor: { name: ['Object'] } }, {}, false],
    ['a value in a list', { a: ['x'] }, { a: ['w', 'x'] }, true],
    ['an object in a list', { a: { b: ['x'] } }, { a: [{ b: 'w' }, { b: 'x' }] }, true],
    ['prefix', { a: [{ prefix: 'ab' }] }, { a: 'abc' }, true],
    ['prefix, other', { a: [{ prefix: 'ab' }] }, { a: 'bab' }, false],
    ['prefix of a number', { a: [{ prefix: '1' }] }, { a: 12 }, false],
    ['suffix', { a: [{ suffix: 'bc' }] }, { a: 'abc' }, true],
    ['equals-ignore-case', { a: [{ 'equals-ignore-case': 'ABC' }] }, { a: 'abc' }, true],
    ['exists', { a: [{ exists: true }] }, { a: null }, true],
    ['exists, missing', { a: [{ exists: true }] }, {}, false],
    ['exists of an object, which is no leaf', { a: [{ exists: true }] }, { a: {} }, false],
    ['exists not', { a: [{ exists: false }] }, { b: 1 }, true],
    ['exists not, below what is missing', { a: { b: [{ exists: false }] } }, {}, true],
    ['exists not, but does', { a: [{ exists: false }] }, { a: 1 }, false],
    ['anything-but', { a: [{ 'anything-but': ['x', 'y'] }] }, { a: 'z' }, true],
    ['anything-but, of those', { a: [{ 'anything-but': ['x', 'y'] }] }, { a: 'y' }, false],
    ['anything-but one', { a: [{ 'anything-but': 'x' }] }, { a: 'x' }, false],
    ['anything-but, missing', { a: [{ 'anything-but': ['x'] }] }, {}, false],
    ['numeric =', { a: [{ numeric: ['=', 5] }] }, { a: 5 }, true],
    ['numeric range', { a: [{ numeric: ['>', 0, '<=', 5] }] }, { a: 5 }, true],
    ['numeric range, outside', { a: [{ numeric: ['>', 0, '<=', 5] }] }, { a: 0 }, false],
    ['numeric of text', { a: [{ numeric: ['=', 5] }] }, { a: '5' }, false],
    ['a value or an operator', { a: ['x', { prefix: 'y' }] }, { a: 'yes' }, true],
    ['$or, first', { $or: [{ a: ['x'] }, { b: ['y'] }] }, { a: 'x' }, true],
    ['$or, second', { $or: [{ a: ['x'] }, { b: ['y'] }] }, { b: 'y' }, true],
    ['$or, none', { $or: [{ a: ['x'] }, { b: ['y'] }] }, { a: 'y', b: 'x' }, false],
    ['$or below, and more', { a: { $or: [{ b: ['x'] }, { c: ['x'] }], d: ['x'] } }, { a: { c: 'x' } }, false],
    [
      'a clean lead',
      { eventName: ['INSERT'], dynamodb: { NewImage: { part: { S: ['lead'] }, clean: { BOOL: [true] } } } },
      CLEAN_LEAD,
      true,
    ],
    [
      "DynamoDB's numbers, which are text",
      { dynamodb: { NewImage: { score: { N: ['40'] } } } },
      CLEAN_LEAD,
      true,
    ],
    ["DynamoDB's null", { dynamodb: { NewImage: { note: { NULL: [true] } } } }, CLEAN_LEAD, true],
    ['a record without that image', { dynamodb: { OldImage: { part: { S: ['lead'] } } } }, CLEAN_LEAD, false],
  ])('asks for %s', (_, pattern, record, expected) => {
    expect(filter(pattern)(record)).toBe(expected);
  });

  test.each([
    ['an operator that Lambda does not have', { a: [{ wildcard: 'x*' }] }, 'a uses the operator wildcard'],
    ['an operator with a wrong argument', { a: { b: [{ prefix: 1 }] } }, 'a.b gives the operator prefix'],
    ['half a comparison', { a: [{ numeric: ['>'] }] }, 'a gives the operator numeric'],
    ['two operators in one', { a: [{ prefix: 'x', suffix: 'y' }] }, 'a has a rule that is not one operator'],
    ['a bare value', { a: 'x' }, 'a must be an object or a list'],
    ['an empty list', { a: [] }, 'a is an empty list'],
    ['an $or of one', { $or: [{ a: ['x'] }] }, '$or in the pattern'],
    ['nothing', {}, 'the pattern is empty'],
  ])('that has %s is refused with a sentence', (_, pattern, complaint) => {
    expect(() => filter(pattern)).toThrow(`The filter of Mapping cannot be used: ${complaint}`);
  });

  test('that is no JSON is refused', () => {
    expect(() => compileFilter({ Filters: [{ Pattern: '{' }] }, 'Mapping')).toThrow('The filter of Mapping');
  });
});

test('of several patterns one suffices, and without any everything passes', () => {
  expect(filter({ a: ['x'] }, { b: ['y'] })({ b: 'y' })).toBe(true);
  expect(filter({ a: ['x'] }, { b: ['y'] })({ a: 'y' })).toBe(false);
  expect(compileFilter(undefined, 'Mapping')({})).toBe(true);
  expect(compileFilter({ Filters: [] }, 'Mapping')({})).toBe(true);
});
