// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of CloudFormation's, not of JavaScript's.
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
