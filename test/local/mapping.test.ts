import { describe, expect, test } from '@jest/globals';
import { readMappings } from '../../local/event-source/mapping.ts';
import { TemplateReader } from '../../local/template.ts';

const STREAM = { EventSourceArn: { 'Fn::GetAtt': ['Leads', 'StreamArn'] }, StartingPosition: 'TRIM_HORIZON' };
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
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    }),
  ).toMatchObject([
    {
      startingPosition: 'LATEST',
      batchSize: 7,
      batchingWindowSeconds: 2,
      bisects: true,
      maximumRetries: 4,
      reportsItemFailures: true,
    },
  ]);
  expect(read({ ...STREAM, MaximumRetryAttempts: -1 })).toMatchObject([
    { maximumRetries: Number.POSITIVE_INFINITY },
  ]);
  expect(read({ ...QUEUE, ScalingConfig: { MaximumConcurrency: 2 } })).toMatchObject([
    { maximumConcurrency: 2 },
  ]);
});

test('a mapping may lead to an alias', () => {
  expect(read({ ...QUEUE, FunctionName: { Ref: 'Live' } })).toMatchObject([
    { functionArn: `${FUNCTION_ARN}:live` },
  ]);
});

test('a disabled mapping is ignored', () => {
  expect(read({ ...QUEUE, Enabled: false })).toEqual([]);
  expect(read({ ...QUEUE, Enabled: true })).toHaveLength(1);
});

test('a tumbling window is served', () => {
  expect(read({ ...STREAM, TumblingWindowInSeconds: 30 })).toMatchObject([{ tumblingWindowSeconds: 30 }]);
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
