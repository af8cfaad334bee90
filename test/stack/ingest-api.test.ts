import { describe, expect, test } from '@jest/globals';
import { asText, synthesize, withoutHash } from './synthesize.ts';

const template = synthesize('dev');

const only = (type: string) => {
  const found = Object.values(template.findResources(type));
  expect(found).toHaveLength(1);
  return found[0]?.Properties;
};

function pathOf(resourceId: string): string {
  const { ParentId, PathPart } =
    template.findResources('AWS::ApiGateway::Resource')[resourceId]?.Properties ?? {};
  return `${ParentId?.Ref === undefined ? '' : pathOf(ParentId.Ref)}/${PathPart}`;
}

describe('routes', () => {
  const methods = Object.values(template.findResources('AWS::ApiGateway::Method')).map((it) => it.Properties);

  test('are these, each to its function', () => {
    const routes = methods.map(({ HttpMethod, ResourceId, Integration }) => {
      const target = /functions\/\$\{(\w+)\.Arn\}\/invocations$/.exec(asText(Integration.Uri))?.[1] ?? '?';
      return `${HttpMethod} ${pathOf(ResourceId.Ref)} -> ${withoutHash(target)}`;
    });
    expect(routes.sort()).toEqual([
      'ANY /api/ingest/{slug} -> RetiredFunction',
      'OPTIONS /api/v1/browser/submissions -> BrowserMintFunction',
      'OPTIONS /api/v1/browser/token -> BrowserMintFunction',
      'POST /api/v1/browser/submissions -> BrowserSubmissionFunction',
      'POST /api/v1/browser/token -> BrowserMintFunction',
      'POST /api/v1/ingest -> IngestServerFunction',
      'POST /api/v1/ingest/{slug} -> IngestWebhookFunction',
    ]);
  });

  test.each(methods)(
    '$HttpMethod $ResourceId.Ref hands the whole request over, and waits',
    ({ Integration }) => {
      expect(Integration).toMatchObject({ Type: 'AWS_PROXY', TimeoutInMillis: 29_000 });
    },
  );

  test('have no CORS made by the gateway: the functions for pages respond by themselves', () => {
    expect(JSON.stringify(template.toJSON())).not.toMatch(/access-control-/i);
  });
});

describe('the API', () => {
  const resources = template.findResources('AWS::ApiGateway::RestApi');
  const api = resources.IngestApi?.Properties;

  test('keeps its logical id, since its id is part of every URL', () => {
    expect(Object.keys(resources)).toEqual(['IngestApi']);
  });

  test('passes every body as the bytes that were sent', () => {
    expect(api.BinaryMediaTypes).toEqual(['*/*']);
    expect(api.MinimumCompressionSize).toBeUndefined();
  });

  test('is regional, and requires TLS 1.2', () => {
    expect(api.EndpointConfiguration).toEqual({ Types: ['REGIONAL'] });
    expect(api.SecurityPolicy).toMatch(/^SecurityPolicy_TLS13_1_[23]_/);
    expect(api.EndpointAccessMode).toBe('STRICT');
  });
});

test.each(['DEFAULT_4XX', 'DEFAULT_5XX', 'REQUEST_TOO_LARGE'])(
  "API Gateway's own %s looks like any rejection, whatever is accepted",
  (type) => {
    const responses = Object.values(template.findResources('AWS::ApiGateway::GatewayResponse'));
    const response = responses.find(({ Properties }) => Properties.ResponseType === type)?.Properties;
    expect(response).toMatchObject({ StatusCode: '200' });
    expect(response?.ResponseTemplates).toEqual({ 'application/json': '{"status":"rejected"}' });
    expect(response?.ResponseParameters).toBeUndefined();
    expect(responses).toHaveLength(3);
  },
);

describe('the stage', () => {
  const stage = only('AWS::ApiGateway::Stage');
  const format: Record<string, string> = JSON.parse(stage.AccessLogSetting.Format);

  test('is named after the stage and traced', () => {
    // API Gateway's own segments hold the sender's address.
    expect(stage).toMatchObject({ StageName: 'dev', TracingEnabled: false });
  });

  test('logs execution errors, never headers and bodies, for all methods', () => {
    expect(stage.MethodSettings).toHaveLength(7);
    for (const { LoggingLevel, DataTraceEnabled } of stage.MethodSettings) {
      expect({ LoggingLevel, DataTraceEnabled }).toEqual({ LoggingLevel: 'ERROR', DataTraceEnabled: false });
    }
  });

  test('logs what an operator needs for each request', () => {
    expect(Object.values(format)).toEqual(
      expect.arrayContaining([
        '$context.requestId',
        '$context.extendedRequestId',
        '$context.httpMethod',
        '$context.resourcePath',
        '$context.protocol',
        '$context.status',
        '$context.responseLength',
        '$context.responseLatency',
        '$context.error.responseType',
        '$context.integrationStatus',
        '$context.integrationLatency',
      ]),
    );
  });

  test.each([
    ['addresses', /identity|sourceIp/i],
    ['bodies', /body|\$input|messageString|error\.message|errorMessage|integration\.error/i],
    ['headers and credentials', /header|userAgent|authoriz|authenticate|apiKey|claims/i],
    ['the path, which holds the slug', /\$context\.path\b|customDomain|override/i],
    ['query strings', /query|\$input/i],
  ])('logs no %s', (_what, pattern) => {
    expect(stage.AccessLogSetting.Format).not.toMatch(pattern);
  });

  test('writes the access log to its own group', () => {
    const group = /log-group:\$\{(\w+)\}$/.exec(asText(stage.AccessLogSetting.DestinationArn))?.[1] ?? '';
    expect(template.findResources('AWS::Logs::LogGroup')).toHaveProperty(group);
  });

  test('has a group for its execution log, so that API Gateway does not create one without retention', () => {
    const [id] = Object.entries(template.findResources('AWS::Logs::LogGroup')).find(
      ([, it]) => asText(it.Properties.LogGroupName ?? '') === `API-Gateway-Execution-Logs_\${IngestApi}/dev`,
    ) ?? ['none'];
    const [resource] = Object.values(template.findResources('AWS::ApiGateway::Stage'));
    expect(resource?.DependsOn).toContain(id);
  });
});

describe('the CloudWatch role that all REST APIs of an account share', () => {
  test('is set by default, and outlives the stack', () => {
    template.hasResource('AWS::ApiGateway::Account', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
    });
    const roleId = only('AWS::ApiGateway::Account').CloudWatchRoleArn['Fn::GetAtt'][0];
    expect(template.findResources('AWS::IAM::Role')[roleId]).toMatchObject({ DeletionPolicy: 'Retain' });
  });

  test('is not set if context says so', () => {
    const without = synthesize('dev', { manageApiGatewayAccount: 'false' });
    without.resourceCountIs('AWS::ApiGateway::Account', 0);
    expect(JSON.stringify(without.toJSON())).not.toContain('AmazonAPIGatewayPushToCloudWatchLogs');
  });
});
