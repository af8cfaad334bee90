// biome-ignore-all lint/suspicious/noTemplateCurlyInString: CloudFormation placeholders, not JavaScript ones.

import type { SQSRecord } from 'aws-lambda';
import type { StreamMapping } from '#local/event-source/mapping.ts';
import type { Template } from '#local/template.ts';

const API = { Ref: 'Api' };

/** A template as CDK writes them: one REST API of three routes, a function, a table. */
export function templateFixture(): Template {
  return {
    Parameters: { Bootstrap: { Default: '/cdk-bootstrap/version' } },
    Conditions: { Never: { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'mars-north-1'] } },
    Resources: {
      Leads: {
        Type: 'AWS::DynamoDB::GlobalTable',
        Properties: {
          AttributeDefinitions: [{ AttributeName: 'leadId', AttributeType: 'S' }],
          KeySchema: [{ AttributeName: 'leadId', KeyType: 'HASH' }],
        },
      },
      Function: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          Code: { S3Bucket: { 'Fn::Sub': 'assets-${AWS::AccountId}-${AWS::Region}' }, S3Key: 'abc.zip' },
          Handler: 'index.handler',
          Timeout: 10,
          Environment: { Variables: { LEADS_TABLE: { Ref: 'Leads' } } },
        },
      },
      Live: {
        Type: 'AWS::Lambda::Alias',
        Properties: { FunctionName: { Ref: 'Function' }, Name: 'live' },
      },
      Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { BinaryMediaTypes: ['*/*'] } },
      Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { RestApiId: API, StageName: 'dev' } },
      ...resource('ApiRoot', { 'Fn::GetAtt': ['Api', 'RootResourceId'] }, 'api'),
      ...resource('V1', { Ref: 'ApiRoot' }, 'v1'),
      ...resource('Ingest', { Ref: 'V1' }, 'ingest'),
      ...resource('Slug', { Ref: 'Ingest' }, '{slug}'),
      ...resource('Old', { Ref: 'ApiRoot' }, 'ingest'),
      ...resource('OldSlug', { Ref: 'Old' }, '{slug}'),
      ...method('IngestPost', 'Ingest', 'POST', { 'Fn::GetAtt': ['Function', 'Arn'] }),
      ...method('SlugPost', 'Slug', 'POST', { 'Fn::GetAtt': ['Function', 'Arn'] }),
      ...method('OldSlugAny', 'OldSlug', 'ANY', { Ref: 'Live' }),
    },
    Outputs: {
      IngestUrl: {
        Value: {
          'Fn::Join': ['', ['https://', API, '.execute-api.', { Ref: 'AWS::Region' }, '/', { Ref: 'Stage' }]],
        },
      },
      LeadsTable: { Value: { Ref: 'Leads' } },
      Unknowable: { Value: { 'Fn::ImportValue': 'elsewhere' } },
      Absent: { Value: 'x', Condition: 'Never' },
    },
  };
}

export function gatewayResponse(logicalId: string, properties: Record<string, unknown>) {
  return {
    [logicalId]: { Type: 'AWS::ApiGateway::GatewayResponse', Properties: { RestApiId: API, ...properties } },
  };
}

function resource(logicalId: string, parentId: unknown, pathPart: string) {
  return {
    [logicalId]: {
      Type: 'AWS::ApiGateway::Resource',
      Properties: { RestApiId: API, ParentId: parentId, PathPart: pathPart },
    },
  };
}

function method(logicalId: string, resourceId: string, httpMethod: string, functionArn: unknown) {
  const uri = ['arn:aws:apigateway:', { Ref: 'AWS::Region' }, ':lambda:path/2015-03-31/functions/'];
  return {
    [logicalId]: {
      Type: 'AWS::ApiGateway::Method',
      Properties: {
        RestApiId: API,
        ResourceId: { Ref: resourceId },
        HttpMethod: httpMethod,
        Integration: {
          Type: 'AWS_PROXY',
          TimeoutInMillis: 29_000,
          Uri: { 'Fn::Join': ['', [...uri, functionArn, '/invocations']] },
        },
      },
    },
  };
}

/** A queue with a dead-letter queue, and a function that consumes it. */
export const QUEUE_TEMPLATE = {
  Resources: {
    Work: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        VisibilityTimeout: 1,
        RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 3 },
      },
    },
    Dead: { Type: 'AWS::SQS::Queue', Properties: { MessageRetentionPeriod: 1_209_600 } },
    Worker: { Type: 'AWS::Lambda::Function' },
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: { 'Fn::GetAtt': ['Work', 'Arn'] },
        FunctionName: { Ref: 'Worker' },
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      },
    },
  },
};

/** The response of a function that failed on the records with this body. */
export const failing = (records: readonly SQSRecord[], body: string) => ({
  batchItemFailures: records
    .filter((record) => record.body === body)
    .map(({ messageId }) => ({ itemIdentifier: messageId })),
});

/** A mapping of a stream with what Lambda assumes. */
export const STREAM_MAPPING: StreamMapping = {
  kind: 'stream',
  logicalId: 'Mapping',
  functionArn: '',
  streamArn: 'arn:aws:dynamodb:ddblocal:000000000000:table/T/stream/1',
  startingPosition: 'TRIM_HORIZON',
  batchSize: 10,
  batchingWindowSeconds: 0,
  matches: () => true,
  reportsItemFailures: false,
  bisects: false,
  tumblingWindowSeconds: 0,
  maximumRetries: Number.POSITIVE_INFINITY,
};
