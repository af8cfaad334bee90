import { describe, expect, test } from '@jest/globals';
import { readBatchResponse } from '../../lambdas/in-turn/batch.ts';
import { compileFilter, readMappings } from '../../local/event-source/mapping.ts';
import { TemplateReader } from '../../local/template.ts';

describe('event source mappings', () => {
  const STREAM = {
    EventSourceArn: { 'Fn::GetAtt': ['Leads', 'StreamArn'] },
    StartingPosition: 'TRIM_HORIZON',
  };
  const QUEUE = { EventSourceArn: { 'Fn::GetAtt': ['Work', 'Arn'] } };
  const STREAM_ARN = 'arn:aws:dynamodb:ddblocal:000000000000:table/S-Leads/stream/2026-01-01T00:00:00.000';
  const FUNCTION_ARN = 'arn:aws:lambda:us-east-1:000000000000:function:S-Relay';

  function read(properties: Record<string, unknown>) {
    const reader = new TemplateReader(
      {
        Resources: {
          Leads: { Type: 'AWS::DynamoDB::GlobalTable' },
          Work: { Type: 'AWS::SQS::Queue' },
          Relay: { Type: 'AWS::Lambda::Function' },
          Live: {
            Type: 'AWS::Lambda::Alias',
            Properties: { FunctionName: { Ref: 'Relay' }, Name: 'live' },
          },
          Mapping: {
            Type: 'AWS::Lambda::EventSourceMapping',
            Properties: { FunctionName: { Ref: 'Relay' }, ...properties },
          },
        },
      },
      'S',
    );
    reader.setAttribute('Leads', 'StreamArn', STREAM_ARN);
    reader.setAttribute('Work', 'Ref', 'http://127.0.0.1:1/000000000000/S-Work');
    return readMappings(reader);
  }

  describe("a mapping has Lambda's defaults where the template says nothing", () => {
    test('of a stream', () => {
      expect(read(STREAM)).toEqual([
        {
          kind: 'stream',
          logicalId: 'Mapping',
          functionArn: FUNCTION_ARN,
          streamArn: STREAM_ARN,
          startingPosition: 'TRIM_HORIZON',
          batchSize: 100,
          batchingWindowSeconds: 0,
          bisects: false,
          tumblingWindowSeconds: 0,
          maximumRetries: Number.POSITIVE_INFINITY,
          reportsItemFailures: false,
          matches: expect.any(Function),
        },
      ]);
    });

    test('of a queue', () => {
      expect(read(QUEUE)).toEqual([
        {
          kind: 'queue',
          logicalId: 'Mapping',
          functionArn: FUNCTION_ARN,
          queueArn: 'arn:aws:sqs:us-east-1:000000000000:S-Work',
          queueUrl: 'http://127.0.0.1:1/000000000000/S-Work',
          batchSize: 10,
          batchingWindowSeconds: 0,
          maximumConcurrency: 5,
          reportsItemFailures: false,
          matches: expect.any(Function),
        },
      ]);
    });
  });

  test('a mapping is what the template says', () => {
    expect(
      read({
        ...STREAM,
        StartingPosition: 'LATEST',
        BatchSize: 7,
        MaximumBatchingWindowInSeconds: 2,
        BisectBatchOnFunctionError: true,
        MaximumRetryAttempts: 4,
        TumblingWindowInSeconds: 30,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      }),
    ).toMatchObject([
      {
        startingPosition: 'LATEST',
        batchSize: 7,
        batchingWindowSeconds: 2,
        bisects: true,
        maximumRetries: 4,
        tumblingWindowSeconds: 30,
        reportsItemFailures: true,
      },
    ]);
    expect(read({ ...STREAM, MaximumRetryAttempts: -1 })).toMatchObject([
      { maximumRetries: Number.POSITIVE_INFINITY },
    ]);
    const toAlias = { FunctionName: { Ref: 'Live' }, ScalingConfig: { MaximumConcurrency: 2 } };
    expect(read({ ...QUEUE, ...toAlias })).toMatchObject([
      { functionArn: `${FUNCTION_ARN}:live`, maximumConcurrency: 2 },
    ]);
  });

  test('a disabled mapping is ignored', () => {
    expect(read({ ...QUEUE, Enabled: false })).toEqual([]);
    expect(read({ ...QUEUE, Enabled: true })).toHaveLength(1);
  });

  test.each([
    [
      'a source that is neither',
      { EventSourceArn: 'arn:aws:kinesis:us-east-1:0:stream/x' },
      'neither from a table',
    ],
    ['a start that no stream has', { ...STREAM, StartingPosition: 'AT_TIMESTAMP' }, 'starts at AT_TIMESTAMP'],
    ['an unknown function', { ...STREAM, FunctionName: 'Nobody' }, 'The stack has no function Nobody.'],
    [
      'an unknown operator',
      { ...STREAM, FilterCriteria: { Filters: [{ Pattern: '{"a":[{"cidr":"10.0.0.0/8"}]}' }] } },
      'The filter of Mapping is not supported: a uses the operator cidr.',
    ],
  ])('%s fails the start with a clear message', (_, properties, complaint) => {
    expect(() => read(properties)).toThrow(complaint);
  });
});

describe('event filters', () => {
  const filter = (...patterns: unknown[]) =>
    compileFilter({ Filters: patterns.map((pattern) => ({ Pattern: JSON.stringify(pattern) })) }, 'Mapping');

  describe('a pattern', () => {
    test.each<[string, unknown, unknown, boolean]>([
      ['a value', { a: ['x'] }, { a: 'x' }, true],
      ['another value', { a: ['x'] }, { a: 'y' }, false],
      ['one of several values', { a: ['x', 'y'] }, { a: 'y' }, true],
      ['text for a number', { a: [1] }, { a: '1' }, false],
      ['null', { a: [null] }, { a: null }, true],
      ['null for a missing key', { a: [null] }, {}, false],
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
    ])('with %s matches or not', (_, pattern, record, expected) => {
      expect(filter(pattern)(record)).toBe(expected);
    });

    test.each([
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
      expect(() => compileFilter({ Filters: [{ Pattern: '{' }] }, 'Mapping')).toThrow(
        'The filter of Mapping',
      );
    });
  });

  test('one matching pattern is enough, and without patterns everything passes', () => {
    expect(filter({ a: ['x'] }, { b: ['y'] })({ b: 'y' })).toBe(true);
    expect(filter({ a: ['x'] }, { b: ['y'] })({ a: 'y' })).toBe(false);
    expect(compileFilter(undefined, 'Mapping')({})).toBe(true);
    expect(compileFilter({ Filters: [] }, 'Mapping')({})).toBe(true);
  });
});

describe('batch responses', () => {
  const failures = (...ids: unknown[]) => ({
    batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
  });

  test.each<[string, unknown, unknown]>([
    ['nothing', null, 'done'],
    ['an empty object', {}, 'done'],
    ['a null list', { batchItemFailures: null }, 'done'],
    ['an empty list', failures(), 'done'],
    ['one item', failures('b'), new Set(['b'])],
    ['two items', failures('c', 'a'), new Set(['a', 'c'])],
    ['an item that was not in the batch', failures('a', 'z'), 'failed'],
    ['an empty identifier', failures(''), 'failed'],
    ['no identifier', failures(null), 'failed'],
    ['a wrong key', { batchItemFailures: [{ id: 'a' }] }, 'failed'],
    ['no object in the list', { batchItemFailures: [null] }, 'failed'],
    ['no list', { batchItemFailures: 'a' }, 'failed'],
    ['text', 'fine', 'failed'],
  ])('a function that responds with %s', (_, response, outcome) => {
    expect(readBatchResponse(JSON.stringify(response), new Set(['a', 'b', 'c']))).toEqual(outcome);
  });
});
