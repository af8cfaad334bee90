import { describe, expect, test } from '@jest/globals';
import { compileFilter } from '../../local/event-source/mapping.ts';

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
    ['exists', { a: [{ exists: true }] }, { a: null }, true],
    ['exists, missing', { a: [{ exists: true }] }, {}, false],
    ['exists of an object, which is not a leaf', { a: [{ exists: true }] }, { a: {} }, false],
    ['not exists', { a: [{ exists: false }] }, { b: 1 }, true],
    ['not exists, below a missing key', { a: { b: [{ exists: false }] } }, {}, true],
    ['not exists, but it does', { a: [{ exists: false }] }, { a: 1 }, false],
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
  ])('with %s matches or not', (_, pattern, record, expected) => {
    expect(filter(pattern)(record)).toBe(expected);
  });

  test.each([
    ['an unsupported operator', { a: [{ prefix: 'x' }] }, 'a uses the operator prefix'],
    ['a second operator', { a: [{ exists: true, suffix: 'y' }] }, 'a uses the operator suffix'],
    ['a wrong argument', { a: { b: [{ exists: 1 }] } }, 'a.b needs "exists": true or false'],
    ['a bare value', { a: 'x' }, 'a must be an object or a list'],
    ['an empty list', { a: [] }, 'a is an empty list'],
    ['$or', { $or: [{ a: ['x'] }, { b: ['y'] }] }, 'the pattern uses $or'],
    ['nothing', {}, 'the pattern is empty'],
  ])('with %s is rejected at the start', (_, pattern, reason) => {
    expect(() => filter(pattern)).toThrow(`The filter of Mapping is not supported: ${reason}`);
  });

  test('that is not JSON is rejected', () => {
    expect(() => compileFilter({ Filters: [{ Pattern: '{' }] }, 'Mapping')).toThrow('The filter of Mapping');
  });
});

test('one of several patterns is enough, and without patterns everything passes', () => {
  expect(filter({ a: ['x'] }, { b: ['y'] })({ b: 'y' })).toBe(true);
  expect(filter({ a: ['x'] }, { b: ['y'] })({ a: 'y' })).toBe(false);
  expect(compileFilter(undefined, 'Mapping')({})).toBe(true);
  expect(compileFilter({ Filters: [] }, 'Mapping')({})).toBe(true);
});
